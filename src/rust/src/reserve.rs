//! A reserve of memory, so that running out of it is an error and not the end of R.
//!
//! Large vectors ask for memory in a way that can be refused (`sbrl_engine::memory`). Small ones do not, and where the
//! system has nothing left even they would end the process. So the allocator keeps a reserve: when the system refuses a
//! small request, the reserve is freed and the request repeated. The work under way can then finish; R gets an error that
//! memory ran out, and no other work starts until the reserve has been refilled.

use sbrl_engine::error::Error;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

/// Size of the reserve. It is address space only: nothing is written to it.
const SIZE: usize = 8 << 20;

/// Larger requests cannot use the reserve; their callers handle a refusal.
const LARGEST: usize = 1 << 20;

static RESERVE: AtomicPtr<u8> = AtomicPtr::new(null_mut());

const LAYOUT: Layout = match Layout::from_size_align(SIZE, 16) {
    Ok(layout) => layout,
    Err(_) => panic!("the size and alignment are valid"),
};

/// Allocate the reserve unless it is there.
pub fn refill() -> Result<(), Error> {
    if !is_spent() {
        return Ok(());
    }
    // SAFETY: the layout has a size
    let reserve = unsafe { System.alloc(LAYOUT) };
    if reserve.is_null() {
        return Err(Error::Memory(SIZE));
    }
    if RESERVE.compare_exchange(null_mut(), reserve, SeqCst, SeqCst).is_err() {
        // SAFETY: allocated above with this layout, and nobody else has it
        unsafe { System.dealloc(reserve, LAYOUT) };
    }
    Ok(())
}

/// Whether a small request was refused since the last `refill()`.
pub fn is_spent() -> bool {
    RESERVE.load(SeqCst).is_null()
}

/// Give the reserve back to the system; false if it is gone already.
#[cold]
fn spend() -> bool {
    let reserve = RESERVE.swap(null_mut(), SeqCst);
    if reserve.is_null() {
        return false;
    }
    // SAFETY: allocated by `refill()` with this layout, and the swap took it out of everybody's reach
    unsafe { System.dealloc(reserve, LAYOUT) };
    true
}

/// The system's allocator, with the reserve behind it.
struct WithReserve;

#[global_allocator]
static ALLOCATOR: WithReserve = WithReserve;

/// Ask for memory, and once more after the reserve was given back.
#[inline]
fn ask(size: usize, request: impl Fn() -> *mut u8) -> *mut u8 {
    let memory = request();
    if memory.is_null() && size <= LARGEST && spend() {
        return request();
    }
    memory
}

// SAFETY: all memory is the system allocator's, which keeps the promises
unsafe impl GlobalAlloc for WithReserve {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the promises of `alloc()`
        ask(layout.size(), || unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the promises of `alloc_zeroed()`
        ask(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the promises of `realloc()`, which leaves the memory as it was when it fails
        ask(size, || unsafe { System.realloc(memory, layout, size) })
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of `dealloc()`
        unsafe { System.dealloc(memory, layout) }
    }
}
