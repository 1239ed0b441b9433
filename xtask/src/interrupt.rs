//! Ctrl-C, and the polite signals of a system that wants a program to end.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

use crate::child::Message;
use crate::exit::{Exit, Failure};

static REQUESTS: AtomicU32 = AtomicU32::new(0);
static LISTENER: Mutex<Option<Sender<Message>>> = Mutex::new(None);

/// Takes over the signals. The first one asks the command to come to an end, the second one ends it there and then.
///
/// # Errors
///
/// The system does not let signals be handled.
pub(crate) fn install() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if REQUESTS.fetch_add(1, Ordering::SeqCst) > 0 {
            process::exit(Exit::Interrupted.code().into());
        }
        if let Some(listener) = LISTENER.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            // It may have stopped listening; then whoever comes next asks `requested`.
            let _ = listener.send(Message::Interrupted);
        }
    })
    .map_err(|error| Failure::new(format!("cannot handle Ctrl-C: {error}")))
}

/// Whether the user wants an end.
pub(crate) fn requested() -> bool {
    REQUESTS.load(Ordering::SeqCst) > 0
}

/// Where to send the news from now on.
pub(crate) fn tell(listener: &Sender<Message>) {
    let mut slot = LISTENER.lock().unwrap_or_else(PoisonError::into_inner);
    if requested() {
        let _ = listener.send(Message::Interrupted);
    }
    *slot = Some(listener.clone());
}

/// Fails if the user wants an end.
///
/// # Errors
///
/// He does.
pub(crate) fn check() -> Result<(), Failure> {
    if requested() { Err(Failure::interrupted()) } else { Ok(()) }
}
