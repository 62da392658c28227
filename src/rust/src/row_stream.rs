//! Rows that R sends in chunks, kept behind an external pointer until a fit takes their bit columns.

use crate::answer::{Answer, Handle};
use crate::convert::{guard, wrong, Arg, Read};
use crate::job::{run, JobPlan, FEW_CELLS};
use extendr_api::prelude::*;
use sbrl_engine::binarise::BitColumns;
use sbrl_engine::control::Control;
use sbrl_engine::data::Rows;
use sbrl_engine::error::Error;
use sbrl_engine::row_wise::{item_weights, Chunk, Layout, RowWise};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

enum State {
    Filling(RowWise),
    Ready(Rows, Arc<BitColumns>),
    Gone,
}

/// Clones share the rows.
#[derive(Clone)]
pub struct RowStream(Arc<Mutex<State>>);

impl RowStream {
    fn new(layout: Layout) -> Read<Self> {
        Ok(RowStream(Arc::new(Mutex::new(State::Filling(RowWise::new(layout)?)))))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn n_rows(&self) -> usize {
        match &*self.state() {
            State::Filling(rows) => rows.n_rows() as usize,
            State::Ready(rows, _) => rows.n_rows(),
            State::Gone => 0,
        }
    }

    fn push(&self, chunk: Chunk) -> Read<()> {
        match &mut *self.state() {
            State::Filling(rows) => rows.push(chunk, &Control::default()),
            _ => wrong("rows", "open for more rows"),
        }
    }

    /// Rows and bit columns, which stay here for another fit.
    pub fn share(&self, control: &Control) -> Read<(Rows, Arc<BitColumns>)> {
        let (rows, bits) = self.take(control)?;
        *self.state() = State::Ready(rows.clone(), Arc::clone(&bits));
        Ok((rows, bits))
    }

    /// Rows and bit columns, which are then no longer here.
    pub fn take(&self, control: &Control) -> Read<(Rows, Arc<BitColumns>)> {
        match std::mem::replace(&mut *self.state(), State::Gone) {
            State::Filling(rows) => {
                let (rows, bits) = rows.finish(control)?;
                Ok((rows, Arc::new(bits)))
            }
            State::Ready(rows, bits) => Ok((rows, bits)),
            State::Gone => Err(Error::Internal("the rows are gone".into())),
        }
    }
}

/// Room for rows that come in chunks of packed codes, see `engine/src/row_wise.rs`.
/// @noRd
#[extendr]
fn native_rows_new(layout: Robj) -> Robj {
    guard(|| {
        let layout = Arg::of(&layout);
        let lists = |name: &str| -> Read<Vec<Vec<u32>>> {
            let elements = layout.field(name)?.elements(name)?;
            elements.into_iter().map(|element| element.wholes(name, 0)).collect()
        };
        let n_classes = layout.field("n_classes")?.count("n_classes")?;
        let rows = RowStream::new(Layout { radices: lists("radices")?, items: lists("items")?, n_classes })?;
        Ok(Answer::handle(Handle::Rows(rows)))
    })
}

/// Add a chunk of rows: a list of `packs`, `codes` of the label from 1 on, and `weights` or NULL.
/// @noRd
#[extendr]
fn native_rows_push(rows: Robj, chunk: Robj) -> Robj {
    guard(|| {
        let chunk = Arg::of(&chunk);
        let packs = chunk.field("packs")?.elements("packs")?;
        let packs: Vec<Vec<f64>> =
            packs.into_iter().map(|pack| pack.doubles("packs")).collect::<Read<_>>()?;
        let packs: Vec<&[f64]> = packs.iter().map(Vec::as_slice).collect();
        let labels = chunk.field("codes")?.wholes("codes", 1)?;
        let weights = chunk.field("weights")?;
        let weights = if weights.is_null() { None } else { Some(weights.doubles("weights")?) };
        let chunk = Chunk { packs: &packs, labels: &labels, weights: weights.as_deref() };
        Arg::of(&rows).row_stream()?.push(chunk)?;
        Ok(Answer::Null)
    })
}

/// No more rows come. The weight of each class, and that of each item in each class, item by item.
/// @noRd
#[extendr]
fn native_rows_finish(job: Robj, rows: Robj) -> Robj {
    guard(|| {
        let rows = Arg::of(&rows).row_stream()?.clone();
        let is_small = rows.n_rows() <= FEW_CELLS;
        run(Arg::of(&job), JobPlan::inline_if(is_small), move |control| {
            let (rows, bits) = rows.share(control)?;
            let classes = rows.class_counts().iter().map(|&count| count as f64 * rows.unit()).collect();
            Ok(Answer::list([
                ("classes", Answer::Doubles(classes)),
                ("items", Answer::Doubles(item_weights(&rows, &bits, control)?)),
                ("n_rows", Answer::number(rows.n_rows() as f64)),
            ]))
        })
    })
}

extendr_module! {
    mod row_stream;
    fn native_rows_new;
    fn native_rows_push;
    fn native_rows_finish;
}
