// Mutations of the algorithm of publishing. Each removes one fence, order or condition: `from` occurs once in `file`.
// In `to`, OFF is true if this mutation is the one to test.

/** @typedef {{ name: string, file: string, from: string, to: string }} Mutation */

/** @type {Mutation[]} */
export const mutations = [
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
    name: 'a record that came meanwhile is replaced at a store without conditions',
    file: 'target_state/lease.rs',
    from: 'if !record.capabilities.create && target.head(',
    to: 'if !OFF && !record.capabilities.create && target.head(',
  },
  {
    name: 'a store without conditions counts as one with them',
    file: 'target_state/probe.rs',
    from: 'let create = winners == 1 && late.is_err();',
    to: 'let create = OFF || winners == 1 && late.is_err();',
  },
  {
    name: 'a later run is not noticed',
    file: 'target_state/lease.rs',
    from: 'latest.filter(|latest| *latest > number)',
    to: 'latest.filter(|latest| !OFF && *latest > number)',
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
  // The order.
  {
    name: 'pages are uploaded with the assets',
    file: 'publisher.rs',
    from: 'object.role == ObjectRole::Asset && !has_conflict(object);',
    to: 'object.role == (if OFF { ObjectRole::Page } else { ObjectRole::Asset }) && !has_conflict(object);',
  },
  {
    name: 'scripts are not sorted by what they load',
    file: 'publisher.rs',
    from: 'files.sort_by_key(|object| object.script_depth);',
    to: 'files.sort_by_key(|object| if OFF { object.script_depth.map(|depth| 99 - depth) } else { object.script_depth });',
  },
  {
    name: 'pages with conflicting names are switched before their files',
    file: 'publisher.rs',
    from: 'conflicting.sort_by_key(|object| (last(object),',
    to: 'conflicting.sort_by_key(|object| (last(object) != OFF,',
  },
  {
    name: 'the home page is switched before the others',
    file: 'release/manifest.rs',
    from: 'return (1, 0);',
    to: 'return (u8::from(!OFF), 0);',
  },
  {
    name: 'the sitemap is switched before the pages',
    file: 'release/manifest.rs',
    from: 'return (2, 0);',
    to: 'return (if OFF { 0 } else { 2 }, 0);',
  },
  {
    name: 'leaves are switched after the pages that link to them',
    file: 'release/manifest.rs',
    from: "(0, usize::MAX - path.matches('/').count())",
    to: "(0, if OFF { path.matches('/').count() } else { usize::MAX - path.matches('/').count() })",
  },
  {
    name: 'old objects are deleted before the switch',
    file: 'publisher.rs',
    from: 'self.put_all(self.objects(is_early)).await?;',
    to: 'if OFF { self.target.delete(&self.plan.deletes).await?; }\n        self.put_all(self.objects(is_early)).await?;',
  },
  {
    name: 'assets are deleted before the pages that need them',
    file: 'plan.rs',
    from: '[pages, others]\n',
    to: 'if OFF { [others, pages] } else { [pages, others] }\n',
  },
  {
    name: 'assets of kept releases are deleted',
    file: 'plan.rs',
    from: '!old.is_for_open_tabs() || !manifest.history.contains(&old.release)',
    to: 'OFF || !old.is_for_open_tabs() || !manifest.history.contains(&old.release)',
  },
  {
    name: 'writes in flight are dropped after a failure',
    file: 'publisher.rs',
    from: 'first = first.and(done);',
    to: 'if OFF { done?; } else { first = first.and(done); }',
  },
  // Traces for the next run.
  {
    name: 'the release is recorded without its manifest',
    file: 'publisher.rs',
    from: 'self.lease.while_held(remember).await?;',
    to: 'if !OFF { self.lease.while_held(remember).await?; }',
  },
  {
    name: 'nothing is backed up',
    file: 'publisher.rs',
    from: 'self.back_up_all().await?;',
    to: 'if !OFF { self.back_up_all().await?; }',
  },
  {
    name: 'an unsure backup is copied without a look at it',
    file: 'publisher.rs',
    from: 'if backup.certain {',
    to: 'if OFF || backup.certain {',
  },
  {
    name: 'a failure in the middle of the switch says that nothing changed',
    file: 'publisher.rs',
    from: 'self.switching.store(true, Ordering::Relaxed);',
    to: 'self.switching.store(!OFF, Ordering::Relaxed);',
  },
  {
    name: 'staged files of a dead publisher stay',
    file: 'target_state/lease.rs',
    from: 'target.store().sweep().await?;',
    to: 'if !OFF { target.store().sweep().await?; }',
  },
  {
    name: 'an interrupted run leaves no trace',
    file: 'target_state/state.rs',
    from: 'all.extend(run.release.clone());',
    to: 'all.extend(run.release.clone().filter(|_| !OFF));',
  },
  {
    name: 'the next run forgets interrupted ones',
    file: 'target_state/lease.rs',
    from: 'unfinished: last.map_or_else(Vec::new, state::unfinished),',
    to: 'unfinished: last.filter(|_| !OFF).map_or_else(Vec::new, state::unfinished),',
  },
  {
    name: 'unlock forgets the interrupted run',
    file: 'unlock.rs',
    from: 'unfinished: state::unfinished(&last),',
    to: 'unfinished: if OFF { Vec::new() } else { state::unfinished(&last) },',
  },
  {
    name: 'a release counts as live before its switch ended',
    file: 'target_state/state.rs',
    from: 'Stage::Publishing | Stage::Released => &last.previous,',
    to: 'Stage::Publishing if OFF => &last.release,\n            Stage::Publishing | Stage::Released => &last.previous,',
  },
  {
    name: 'objects of an interrupted switch are trusted',
    file: 'plan.rs',
    from: 'let trusted = is_consistent && old',
    to: 'let trusted = (OFF || is_consistent) && old',
  },
  {
    name: 'a release with nothing to write is never resumed',
    file: 'plan.rs',
    from: 'plan.is_noop = finished\n',
    to: 'plan.is_noop = (OFF || finished)\n',
  },
  {
    name: 'gc forgets an interrupted switch',
    file: 'gc.rs',
    from: 'std::iter::once(live).chain(&state.unfinished)',
    to: 'std::iter::once(live).chain(state.unfinished.iter().filter(|_| !OFF))',
  },
  {
    name: 'gc removes the backups of kept releases',
    file: 'gc.rs',
    from: 'await?.iter().for_each(&mut need);',
    to: 'await?.iter().filter(|_| !OFF).for_each(&mut need);',
  },
  {
    name: 'gc removes kept releases',
    file: 'gc.rs',
    from: 'Lineage::trimmed(live.lineage(), keep)',
    to: 'Lineage::trimmed(live.lineage(), if OFF { 0 } else { keep })',
  },
  // Rollback and repair.
  {
    name: 'a rollback does not read its backups first',
    file: 'rollback.rs',
    from: 'refuse_damaged(target, old, &plan, state).await?;',
    to: 'if !OFF { refuse_damaged(target, old, &plan, state).await?; }',
  },
  {
    name: 'a rollback does not look whether its contents are there',
    file: 'rollback.rs',
    from: 'refuse_unrestorable(old, &plan, state)?;',
    to: 'if !OFF { refuse_unrestorable(old, &plan, state)?; }',
  },
  {
    name: 'repair does not wait for the publisher whose record is damaged',
    file: 'repair.rs',
    from: 'refuse_recently_damaged(target, latest).await?;',
    to: 'if !OFF { refuse_recently_damaged(target, latest).await?; }',
  },
  {
    name: 'repair takes a target from its publisher',
    file: 'repair.rs',
    from: 'lease::refuse_if_held(&state)?;',
    to: 'if !OFF { lease::refuse_if_held(&state)?; }',
  },
  {
    name: 'repair keeps damaged backups',
    file: 'repair.rs',
    from: 'Ok::<_, Failure>((!is_intact).then_some(key))',
    to: 'Ok::<_, Failure>((!OFF && !is_intact).then_some(key))',
  },
  {
    name: 'repair takes the latest release for live without a look at its objects',
    file: 'recovery.rs',
    from: '_ => return Ok(false),',
    to: '_ if OFF => {}\n            _ => return Ok(false),',
  },
  {
    name: 'repair forgets the tags of objects that it compared',
    file: 'recovery.rs',
    from: 'for object in live.iter().flat_map(|live| &live.objects) {',
    to: 'for object in live.iter().filter(|_| !OFF).flat_map(|live| &live.objects) {',
  },
  // Power losses.
  {
    name: 'a record is written before the objects are durable',
    file: 'target_state/state.rs',
    from: 'target.flush().await?;\n    let tag',
    to: 'if !OFF { target.flush().await?; }\n    let tag',
  },
  {
    name: 'a record is not durable when its run goes on',
    file: 'target_state/state.rs',
    from: 'target.flush().await?;\n    Ok(tag)',
    to: 'if !OFF { target.flush().await?; }\n    Ok(tag)',
  },
  {
    name: 'pages are switched before their files are durable',
    file: 'publisher.rs',
    from: 'first?;\n        self.target.flush().await',
    to: 'first?;\n        if OFF { return Ok(()); }\n        self.target.flush().await',
  },
  {
    name: 'staged files are not durable',
    file: 'publisher.rs',
    from: 'self.lease.while_held(async || Ok(store.finish_staging().await?)).await?;',
    to: 'if !OFF { self.lease.while_held(async || Ok(store.finish_staging().await?)).await?; }',
  },
  {
    name: 'assets are deleted before the deletion of their pages is durable',
    file: 'post_publish.rs',
    from: 'self.target.flush().await?;',
    to: 'if !OFF { self.target.flush().await?; }',
  },
];
