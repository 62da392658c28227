//! Every bound and every search against plain enumeration of all ordered lists.

mod bounds;
mod instances;
mod searches;
