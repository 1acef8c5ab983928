import { h } from 'preact'
import { notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { linkTo } from '../../lib/controls/route.ts'
import { useReadEvery } from '../../lib/server/read.ts'
import { may } from '../../lib/server/session.ts'
import type { StepOptions } from '../house.ts'
import { RecoverySheet } from '../recovery/recovery-sheet.ts'
import { t } from '../steps/texts.ts'
import { BackupNow } from './backup-now.ts'
import { BackupTargets } from './backup-targets.ts'

/** The box may learn that a place has its backup without an event that this page hears. */
const lookAgainMs = 3_000

/** The recovery sheet, a place outside the box, and the first backup. The box says what is missing. */
export function BackupStep({ house: { backup }, changed }: StepOptions): View {
  const isComplete = backup.missing.length === 0
  useReadEvery(lookAgainMs, changed, !isComplete)
  const text = t.value.backup
  if (!may('backups.read')) return notice('info', text.notAllowed)
  return el.div(
    { class: 'stack' },
    el.p(null, text.why),
    isComplete
      ? notice(backup.isDemanded ? 'ok' : 'info', backup.isDemanded ? text.complete : text.sample)
      : notice(
          'error',
          text.missing,
          el.ul(
            null,
            backup.missing.map((each) => el.li({ key: each }, each)),
          ),
        ),
    h(RecoverySheet, {}),
    h(BackupTargets, {}),
    el.section(
      { class: 'stack', 'aria-label': text.first },
      el.h2(null, text.first),
      may('backups.write') && h(BackupNow, { begun: changed }),
      el.p(null, el.a({ href: linkTo('system', 'backups') }, text.toAll)),
    ),
  )
}
