// Mutations of the steps: their order, their traces for the next run, rollback, repair, power losses. See mutations.mjs.

/** @type {import('./mutations.mjs').Mutation[]} */
export const mutationsOfSteps = [
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
    name: 'assets of releases that are no longer kept stay',
    file: 'plan.rs',
    from: '.map(|old| old.key.clone())\n            .collect();\n        plan.gone.sort();',
    to: '.filter(|old| !(OFF && old.is_for_open_tabs()))\n            .map(|old| old.key.clone())\n            .collect();\n        plan.gone.sort();',
  },
  {
    name: 'a release is not recorded again when fewer are kept',
    file: 'plan.rs',
    from: '(plan.deletes.is_empty() || keeps_all)',
    to: '(OFF || plan.deletes.is_empty() || keeps_all)',
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
    from: 'all.extend(self.release.clone());',
    to: 'all.extend(self.release.clone().filter(|_| !OFF));',
  },
  {
    name: 'the next run forgets interrupted ones',
    file: 'target_state/lease.rs',
    from: 'unfinished: last.map_or_else(Vec::new, RunRecord::unfinished),',
    to: 'unfinished: last.filter(|_| !OFF).map_or_else(Vec::new, RunRecord::unfinished),',
  },
  {
    name: 'unlock forgets the interrupted run',
    file: 'maintenance.rs',
    from: 'unfinished: last.unfinished(),',
    to: 'unfinished: if OFF { Vec::new() } else { last.unfinished() },',
  },
  {
    name: 'a release counts as live before its switch ended',
    file: 'target_state/state.rs',
    from: 'Stage::Live => self.release.as_ref(),',
    to: 'Stage::Live => self.release.as_ref(),\n            Stage::Publishing if OFF => self.release.as_ref(),',
  },
  {
    name: 'a release with nothing to write is never resumed',
    file: 'plan.rs',
    from: 'plan.is_live = finished',
    to: 'plan.is_live = (OFF || finished)',
  },
  {
    name: 'gc forgets an interrupted switch',
    file: 'maintenance.rs',
    from: 'std::iter::once(live).chain(&state.unfinished)',
    to: 'std::iter::once(live).chain(state.unfinished.iter().filter(|_| !OFF))',
  },
  {
    name: 'gc removes the backups of kept releases',
    file: 'maintenance.rs',
    from: 'await?.iter().for_each(&mut need);',
    to: 'await?.iter().filter(|_| !OFF).for_each(&mut need);',
  },
  {
    name: 'gc removes kept releases',
    file: 'maintenance.rs',
    from: 'Lineage::trimmed(live, keep)',
    to: 'Lineage::trimmed(live, if OFF { 0 } else { keep })',
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
