//! What runs over carriers.
