//! The machine of a publisher: its clocks in paused time, and its random IDs.

use std::fmt;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use sitegate_publish::machine::{Machine, Moment};
use tokio::time::Instant;

use super::rng::Rng;

/// The time at which simulations begin, in seconds since 1970.
const BEGIN: u64 = 1_790_000_000;

/// A machine. Its calendar may be wrong, and jump.
pub struct SimulatedMachine {
    start: Instant,
    random: Mutex<Rng>,
    /// How wrong the calendar is, in seconds. It changes every minute if the clock jumps.
    wrong: i64,
    jumps: bool,
}

impl SimulatedMachine {
    pub fn new(start: Instant, mut rng: Rng, is_wrong: bool) -> SimulatedMachine {
        // Up to 300 days.
        let wrong = if is_wrong { rng.below(51_840_000) as i64 - 25_920_000 } else { 0 };
        SimulatedMachine { start, jumps: is_wrong && rng.chance(50), random: Mutex::new(rng), wrong }
    }
}

impl fmt::Debug for SimulatedMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a simulated machine")
    }
}

impl Machine for SimulatedMachine {
    fn calendar(&self) -> SystemTime {
        let elapsed = self.start.elapsed();
        let jump = if self.jumps { (elapsed.as_secs() as i64 % 7 - 3) * 86_400 } else { 0 };
        let seconds = BEGIN.saturating_add_signed(self.wrong + jump);
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds) + elapsed
    }

    fn moment(&self) -> Moment {
        Moment::new(self.start.elapsed(), self.start.elapsed())
    }

    fn random_id(&self) -> String {
        let mut random = self.random.lock().unwrap();
        format!("{:016x}{:016x}", random.next(), random.next())
    }
}
