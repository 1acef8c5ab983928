import type { Language } from '../jsonapi/locales/language.ts'
import { type Message, messages, messageText } from '../jsonapi/locales/message.ts'
import type { UpdateSettings } from './update-settings.ts'
import type { Ended, Job, Said } from './update-state.ts'
import type { UpdateView } from './updates.ts'

/** Returns the attributes of the update document, in a language. */
export function updateAttributes(view: UpdateView, settings: UpdateSettings, language: Language) {
  const { offer, job, last } = view
  return {
    version: view.version,
    slot: view.slot,
    isImage: view.slot !== null,
    channel: settings.channel,
    source: settings.from,
    folder: settings.folder,
    window: settings.window,
    automatic: settings.automatic,
    heldUntil: momentOf(view.heldUntil),
    checkedAt: momentOf(view.checkedAt),
    problems: view.problems.map((each) => messageText(language, each)),
    available: offer && {
      version: offer.version,
      published: offer.published,
      security: offer.security,
      notes: offer.notes[language] ?? offer.notes.en ?? '',
      bytes: view.bytes ?? 0,
      percentOfBoxes: view.percentOfBoxes ?? 0,
      isOurTurn: view.isOurTurn,
    },
    progress: job && progressOf(job, view, language),
    last: last && lastOf(last, language),
  }
}

function progressOf(job: Job, { percent, waits }: UpdateView, language: Language) {
  const { version, from, step, startedAt, missing } = job
  return {
    version,
    from,
    step,
    percent,
    startedAt: momentOf(startedAt),
    waitsFor: waits && messageText(language, waits),
    missing: missing.map((each) => textOf(each, language)),
  }
}

function lastOf(last: Ended, language: Language) {
  const { version, from, result, slot, startedAt, endedAt, reason } = last
  return {
    version,
    from,
    result,
    slot,
    startedAt: momentOf(startedAt),
    endedAt: momentOf(endedAt),
    seconds: Math.max(0, Math.round((endedAt - startedAt) / 1_000)),
    reason: reason.map((each) => textOf(each, language)).join(' ') || null,
  }
}

/** What the status document reads of the updates. */
export type ShortUpdate = Pick<UpdateView, 'slot' | 'offer' | 'job' | 'last'>

/** Returns the updates' part of the status document, without sentences. */
export function shortUpdate({ slot, offer, job, last }: ShortUpdate) {
  return {
    slot,
    available: offer?.version ?? null,
    step: job?.step ?? null,
    last: last && {
      version: last.version,
      from: last.from,
      result: last.result,
      endedAt: momentOf(last.endedAt),
    },
  }
}

/** Returns the updates' part of the report to a fleet manager, in English. */
export function boxState(view: UpdateView) {
  const { slot, available, step, last } = shortUpdate(view)
  const reason = view.last?.reason.map(({ text }) => text).join(' ') || null
  const { version, result, endedAt } = last ?? {}
  return {
    version: view.version,
    slot,
    update: {
      available,
      step,
      last: result && endedAt ? { version: version ?? null, result, endedAt, reason } : null,
    },
  }
}

/** Returns a stored sentence as a message. A code that only another version knows becomes the stored English text. */
export function messageOf({ code, values, text }: Said): Message | string {
  return Object.hasOwn(messages(), code) ? { code: code as Message['code'], values } : text
}

function textOf(said: Said, language: Language): string {
  const message = messageOf(said)
  return typeof message === 'string' ? message : messageText(language, message)
}

function momentOf(instant: number): string
function momentOf(instant: number | null): string | null
function momentOf(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString()
}
