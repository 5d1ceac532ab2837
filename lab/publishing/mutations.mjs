// Mutations of the algorithm of publishing. Each removes one fence, order or condition: `from` occurs once in `file`.

/** @typedef {{ name: string, file: string, from: string, to: string }} Mutation */

/** @type {Mutation[]} */
export const mutations = [
  {
    name: 'writes ignore the fence',
    file: 'store/fence.rs',
    from: 'FenceState::Held(hold) if self.machine.elapsed(hold.renewed) < hold.lease =>',
    to: 'FenceState::Held(hold) =>',
  },
  {
    name: 'objects are written without a condition',
    file: 'publisher.rs',
    from: 'None if capabilities.create => Condition::Absent,',
    to: 'None if capabilities.create => Condition::Always,',
  },
  {
    name: 'the lease is acquired without a condition',
    file: 'target_state/lease.rs',
    from: 'let condition = if record.capabilities.create { Condition::Absent } else { Condition::Always };',
    to: 'let condition = Condition::Always;',
  },
  {
    name: 'a record that came meanwhile is replaced at a store without conditions',
    file: 'target_state/lease.rs',
    from: 'if !record.capabilities.create && target.head(&run_key(number)).await?.is_some() {',
    to: 'if false {',
  },
  {
    name: 'a later run is not noticed',
    file: 'target_state/lease.rs',
    from: 'if let Some(later) = latest.filter(|latest| *latest > number) {',
    to: 'if let Some(later) = latest.filter(|_| false) {',
  },
  {
    name: 'an own record with another tag counts as lost',
    file: 'target_state/lease.rs',
    from: 'Some(found) if is_own(&found.body) => Ok(found.tag),',
    to: 'Some(found) if is_own(&found.body) && false => Ok(found.tag),',
  },
  {
    name: 'a held target is not refused',
    file: 'target_state/lease.rs',
    from: 'Some(run) => Err(state::held(run, state.remaining)),',
    to: 'Some(_) => Ok(()),',
  },
  {
    name: 'assets are no longer uploaded first',
    file: 'publisher.rs',
    from: 'let is_early = |object: &Object| object.role == ObjectRole::Asset && !has_conflict(object);',
    to: 'let is_early = |object: &Object| object.role == ObjectRole::Page && !has_conflict(object);',
  },
  {
    name: 'scripts are not sorted by what they load',
    file: 'publisher.rs',
    from: 'files.sort_by_key(|object| object.script_depth);',
    to: 'files.sort_by_key(|object| std::cmp::Reverse(object.script_depth));',
  },
  {
    name: 'pages are not sorted: leaves no longer come first',
    file: 'publisher.rs',
    from: 'pages.sort_by_key(|object| switch_rank(object));',
    to: 'pages.sort_by_key(|object| std::cmp::Reverse(switch_rank(object)));',
  },
  {
    name: 'the release is recorded without its manifest',
    file: 'publisher.rs',
    from: 'self.lease.while_held(remember).await?;',
    to: 'let _ = remember;',
  },
  {
    name: 'nothing is backed up',
    file: 'publisher.rs',
    from: 'self.back_up_all().await?;',
    to: '',
  },
  {
    name: 'an unsure backup is copied without a look at it',
    file: 'publisher.rs',
    from: 'if backup.certain {',
    to: 'if true {',
  },
  {
    name: 'a failure in the middle of the switch says that nothing changed',
    file: 'publisher.rs',
    from: 'self.switching.store(true, Ordering::Relaxed);',
    to: '',
  },
  {
    name: 'assets are deleted before the pages that need them',
    file: 'plan.rs',
    from: '[pages, others]\n',
    to: '[others, pages]\n',
  },
  {
    name: 'assets of kept releases are deleted',
    file: 'plan.rs',
    from: '!old.is_for_open_tabs() || !manifest.history.contains(&old.release)',
    to: 'true',
  },
  {
    name: 'an interrupted switch is trusted',
    file: 'plan.rs',
    from: 'let trusted = is_consistent && old.is_some_and(|old| old.sha256 == object.sha256);',
    to: 'let trusted = old.is_some_and(|old| old.sha256 == object.sha256);',
  },
  {
    name: 'a release with nothing to write is never resumed',
    file: 'plan.rs',
    from: 'last.stage != Stage::Publishing) && is_consistent;',
    to: 'last.stage != Stage::Publishing) || true;',
  },
  {
    name: 'gc forgets an interrupted switch',
    file: 'gc.rs',
    from: 'for manifest in std::iter::once(live).chain(&state.unfinished) {',
    to: 'for manifest in std::iter::once(live) {',
  },
  {
    name: 'gc removes the backups of kept releases',
    file: 'gc.rs',
    from: 'state.unless_overtaken(target, read).await?.iter().for_each(&mut need);',
    to: 'let _ = state.unless_overtaken(target, read).await?.iter().for_each(|_| {});',
  },
  {
    name: 'an interrupted run leaves no trace',
    file: 'target_state/state.rs',
    from: 'all.extend(run.release.clone());',
    to: '',
  },
];
