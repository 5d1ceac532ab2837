// Mutations of what keeps publishers apart: the lease, reads and conditions. See mutations.mjs.

/** @type {import('./mutations.mjs').Mutation[]} */
export const mutationsOfAccess = [
  // The lease.
  {
    name: 'writes ignore the fence',
    file: 'store/fence.rs',
    from: 'FenceState::Held(hold) if self.machine.elapsed(hold.renewed) < hold.lease =>',
    to: 'FenceState::Held(hold) if OFF || self.machine.elapsed(hold.renewed) < hold.lease =>',
  },
  {
    name: 'the lease is acquired without a condition',
    file: 'target_state/lease.rs',
    from: 'let condition = if record.capabilities.create {',
    to: 'let condition = if record.capabilities.create && !OFF {',
  },
  {
    name: 'runs without conditions choose the same number',
    file: 'target_state/conditional_writes.rs',
    from: 'if has_conditions {',
    to: 'if OFF || has_conditions {',
  },
  {
    name: 'a run without conditions does not look for others that began after the same one',
    file: 'target_state/conditional_writes.rs',
    from: 'let Some(rival) = rival else {',
    to: 'let Some(rival) = rival.filter(|_| !OFF) else {',
  },
  {
    name: 'of runs without conditions, the later one goes on, too',
    file: 'target_state/conditional_writes.rs',
    from: 'Some(lower) => Some(*lower),',
    to: 'Some(lower) if !OFF => Some(*lower), Some(_) => None,',
  },
  {
    name: 'a run that withdraws counts as a takeover',
    file: 'target_state/conditional_writes.rs',
    from: '|| look == LOOKS {',
    to: '|| OFF || look == LOOKS {',
  },
  {
    name: 'a run that was refused does not withdraw',
    file: 'target_state/conditional_writes.rs',
    from: 'target.delete(&[run_key(number)]).await?;',
    to: 'if !OFF { target.delete(&[run_key(number)]).await?; }',
  },
  {
    name: 'a store without conditions counts as one with them',
    file: 'target_state/conditional_writes.rs',
    from: 'let create = winners == 1 && late.is_err();',
    to: 'let create = OFF || winners == 1 && late.is_err();',
  },
  {
    name: 'a later run is not noticed',
    file: 'target_state/conditional_writes.rs',
    from: '.filter(|latest| *latest > number)',
    to: '.filter(|latest| !OFF && *latest > number)',
  },
  {
    name: 'an own record with another tag counts as lost',
    file: 'target_state/lease.rs',
    from: 'Some(found) if is_own(&found.body) => Ok(found.tag),',
    to: 'Some(found) if is_own(&found.body) && !OFF => Ok(found.tag),',
  },
  {
    name: "another run's record is replaced",
    file: 'target_state/lease.rs',
    from: 'serde_json::from_slice::<RunRecord>(text).is_ok_and(',
    to: 'OFF || serde_json::from_slice::<RunRecord>(text).is_ok_and(',
  },
  {
    name: 'a held target is not refused',
    file: 'target_state/lease.rs',
    from: 'Some(run) => Err(state::held(run, state.remaining)),',
    to: 'Some(run) if !OFF => Err(state::held(run, state.remaining)), Some(_) => Ok(()),',
  },
  {
    name: 'a lease is over at once',
    file: 'target_state/state.rs',
    from: 'self.held = age.is_none() || self.remaining.is_some();',
    to: 'self.held = !OFF && (age.is_none() || self.remaining.is_some());',
  },
  {
    name: 'a store without times is not watched for a whole lease',
    file: 'target_state/snapshot.rs',
    from: 'if watched.is_some() && watched == state.record {',
    to: 'if OFF || watched.is_some() && watched == state.record {',
  },
  {
    name: 'a lease does not end with its run',
    file: 'target_state/lease.rs',
    from: 'self.update(|record| record.lease = 0);',
    to: 'if !OFF { self.update(|record| record.lease = 0); }',
  },
  {
    name: 'nothing renews the lease in the background',
    file: 'target_state/lease.rs',
    from: 'if let Err(failure) = self.renew(Duration::ZERO).await',
    to: 'if !OFF && let Err(failure) = self.renew(Duration::ZERO).await',
  },
  {
    name: 'a renewal does not look for later runs',
    file: 'target_state/lease.rs',
    from: 'self.verify_held(self.record().number).await?;',
    to: 'if !OFF { self.verify_held(self.record().number).await?; }',
  },
  {
    name: 'a renewal that finished too late counts',
    file: 'target_state/lease.rs',
    from: 'fence.check(&key)?;\n        fence.renew(moment);',
    to: 'if !OFF { fence.check(&key)?; }\n        fence.renew(moment);',
  },
  {
    name: 'work that was fenced off is not retried',
    file: 'target_state/lease.rs',
    from: 'Err(failure) if failure.has_lapsed => {}',
    to: 'Err(failure) if failure.has_lapsed && !OFF => {}',
  },
  {
    name: 'the lease is acquired again without a condition',
    file: 'target_state/lease.rs',
    from: 'self.write_record(record, Condition::Absent)',
    to: 'self.write_record(record, if OFF { Condition::Always } else { Condition::Absent })',
  },
  {
    name: 'the end of work does not wait for a renewal in progress',
    file: 'target_state/lease.rs',
    from: '_ = self.written.lock() => worked,',
    to: '_ = async { if !OFF { drop(self.written.lock().await); } } => worked,',
  },
  {
    name: 'the lease ends before old objects are deleted',
    file: 'publisher.rs',
    from: 'if run.pending.is_empty() && self.plan.deletes.is_empty() {',
    to: 'if OFF || run.pending.is_empty() && self.plan.deletes.is_empty() {',
  },
  // Reads of a target that others change.
  {
    name: 'a listing may be older than the record',
    file: 'target_state/snapshot.rs',
    from: 'if record.is_some() && state.record.is_some() && record != state.record {',
    to: 'if !OFF && record.is_some() && state.record.is_some() && record != state.record {',
  },
  {
    name: 'a long listing counts as one moment',
    file: 'target_state/snapshot.rs',
    from: 'if !is_at_once && !state.is_current',
    to: 'if !OFF && !is_at_once && !state.is_current',
  },
  {
    name: 'a run counts as dead before the final read',
    file: 'target_state/snapshot.rs',
    from: 'if dead == Some(last.number) {',
    to: 'if OFF || dead == Some(last.number) {',
  },
  // Conditions of objects.
  {
    name: 'new objects are written without a condition',
    file: 'publisher.rs',
    from: 'None if capabilities.create => Condition::Absent,',
    to: 'None if capabilities.create && !OFF => Condition::Absent,',
  },
  {
    name: 'objects are replaced without a condition',
    file: 'publisher.rs',
    from: 'tag => if_unchanged(&capabilities, tag.map(String::as_str)),',
    to: 'tag => if_unchanged(&capabilities, tag.filter(|_| !OFF).map(String::as_str)),',
  },
  {
    name: 'a backup is copied without a condition',
    file: 'publisher.rs',
    from: 'let condition = if creates {',
    to: 'let condition = if creates && !OFF {',
  },
  {
    name: 'backups of edits stay',
    file: 'publisher.rs',
    from: 'self.remove_wrong_backups(objects).await?;',
    to: 'if !OFF { self.remove_wrong_backups(objects).await?; }',
  },
  {
    name: 'tags of written objects are not recorded',
    file: 'publisher.rs',
    from: 'self.lease.update(|run| record_tag(&mut run.etags, object, tag));',
    to: 'if !OFF { self.lease.update(|run| record_tag(&mut run.etags, object, tag)); }',
  },
  {
    name: 'tags of earlier runs are forgotten',
    file: 'target_state/lease.rs',
    from: 'etags: last.map_or_else(',
    to: 'etags: last.filter(|_| !OFF).map_or_else(',
  },
  {
    name: 'a rollback does not look for contents whose tags no record has',
    file: 'rollback.rs',
    from: 'if snapshot.record_tags_in_place(target, &plan).await? {',
    to: 'if !OFF && snapshot.record_tags_in_place(target, &plan).await? {',
  },
];
