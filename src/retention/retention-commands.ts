import { forgetReservationComments, forgetStayComments } from '../reservation/profiles/forget-comments.ts'
import { forgetProfiles } from '../reservation/profiles/forget-profiles.ts'
import { forgetReasons } from '../reservation/profiles/forget-reasons.ts'
import { forgetRegistrations } from '../reservation/registration/registration-commands.ts'
import type { Command } from '../resource/command.ts'
import { expireAnswers, expireFormerActors, expireTombstones } from './expire-bookkeeping.ts'
import { forgetConflicts, forgetLeases, forgetQuarantined, forgetSyncRecords } from './forget-sync.ts'
import { forgetPrintTexts, removeOldKeys } from './remove-keys.ts'
import { removeOldRecords } from './remove-records.ts'

/** The commands that delete old rows, except those that modules declare for their own tables. */
export const retentionCommands: readonly Command<never, unknown>[] = [
  expireAnswers,
  expireTombstones,
  expireFormerActors,
  forgetProfiles,
  forgetStayComments,
  forgetReservationComments,
  forgetReasons,
  forgetRegistrations,
  removeOldKeys,
  forgetPrintTexts,
  removeOldRecords,
  forgetSyncRecords,
  forgetConflicts,
  forgetQuarantined,
  forgetLeases,
]
