import { randomUUID } from 'node:crypto'
import type { Message } from '../jsonapi/locales/message.ts'
import { afterStart } from './after-start.ts'
import { type Channel, percentNow } from './channel.ts'
import { expectOffer, isOurTurn, lookForOffers, type Offer } from './offers.ts'
import { bustle, isInWindow } from './quiet.ts'
import { finish, keep, move, noteLast, type UpdateBox, type UpdateOptions } from './update-box.ts'
import { UpdateRefused } from './update-refused.ts'
import type { Ended, Job } from './update-state.ts'
import { advance, confirmed, confirmStrange } from './update-steps.ts'
import { compareVersions } from './version-order.ts'

/** How often the program continues a job, or checks whether an update may begin. */
const lookEveryMs = 15_000
const checkEveryMs = 6 * 3_600_000
/** The first check is delayed: boxes that boot together after a power cut must not all ask the server at once. */
const firstCheckMs = 600_000
/** The pause after a failed update before the box begins another one automatically. */
const againAfterMs = 6 * 3_600_000

/** A request for an update. */
interface Asked {
  /** The person; null for the box. */
  by: string | null
  /** Restart in the quiet window, instead of as soon as the box is idle. */
  inWindow: boolean
  /** Skip the backup, for a box without a recovery key. */
  withoutBackup: boolean
}

/** The state of the updates, for the interface. */
export interface UpdateView {
  version: string
  /** The running slot; null when this installation is not an image. */
  slot: string | null
  offer: Channel | null
  bytes: number | null
  /** The percentage of boxes that may install the offer now. */
  percentOfBoxes: number | null
  isOurTurn: boolean
  /** When the sources were last read, Unix milliseconds; null before. */
  checkedAt: number | null
  problems: readonly Message[]
  job: Job | null
  percent: number | null
  waits: Message | null
  last: Ended | null
  heldUntil: number | null
}

/** The updates of a box. Nothing runs before `begin`. */
export class Updates {
  readonly #ending = new AbortController()
  readonly #box: UpdateBox
  #offer: Offer | null = null
  #problems: readonly Message[] = []
  #checkedAt: number | null = null
  #nextCheck
  /** Whether a trial runs that this program has neither begun nor confirmed. */
  #isStrangeTrial = false
  readonly #begun = Promise.withResolvers<void>()
  #mayWork = false
  #hasDecided = false
  /** Why RAUC has not said yet which slot runs; null when it has, and before it was asked. */
  #silence: unknown = null
  readonly #steps

  constructor(options: UpdateOptions) {
    this.#box = {
      ...options,
      state: options.files.read(),
      slots: null,
      percent: null,
      waits: null,
      ending: this.#ending.signal,
    }
    this.#nextCheck = options.clock.monotonic() + firstCheckMs
    this.#steps = options.background.every('updates', lookEveryMs, () => this.#look())
  }

  /** Why a box from an image installs no updates; null when it does. */
  readonly refusal = () => refusalOf(this.#box)
  /** Returns whether a step is running. */
  readonly isUnderWay = () => this.#steps.isUnderWay()
  /** Resolves when `begin` has found out whether an image runs and how an update continues. */
  readonly begun = this.#begun.promise

  /** Begins an update to the newest version that the sources offer. Rejects with UpdateRefused. */
  async install(asked: Asked): Promise<void> {
    const box = this.#box
    await this.#begun.promise
    if (this.#silence !== null) throw this.#silence
    if (!box.slots) throw new UpdateRefused({ code: 'update-no-image' })
    const reason = refusalOf(box)
    if (reason) throw new UpdateRefused(reason)
    await this.check()
    // There is no await between this check and `start`, so no second update can begin.
    const { job } = box.state
    if (job) throw new UpdateRefused({ code: 'update-in-progress', values: { version: job.version ?? '?' } })
    start(box, expectOffer(this.#offer, this.#problems, box.version), asked)
    this.#steps.begin()
  }

  /** Until this time, Unix milliseconds, the box begins no update automatically; null ends the pause. */
  hold(until: number | null): void {
    keep(this.#box, { heldUntil: until })
  }

  /** Confirms a trial with missing conditions. Rejects with UpdateRefused when no trial runs. */
  async confirm(): Promise<void> {
    const box = this.#box
    await this.#begun.promise
    if (this.#silence !== null) throw this.#silence
    const { job } = box.state
    if (job?.step !== 'trial' && !this.#isStrangeTrial) throw new UpdateRefused({ code: 'update-no-trial' })
    const [reason] = await confirmed(box)
    if (reason) throw new UpdateRefused({ code: 'update-rauc-failed', values: { detail: reason.text } })
    this.#isStrangeTrial = false
    if (job && box.state.job?.id === job.id) await finish(box, job, 'confirmed', [])
  }

  view(): UpdateView {
    const { clock, version, slots, state, percent, waits } = this.#box
    const now = clock.now()
    const offer = this.#offer
    const { job, last, heldUntil } = state
    return {
      version,
      slot: slots?.booted ?? null,
      offer: offer?.channel ?? null,
      bytes: offer?.bundle.size ?? null,
      percentOfBoxes: offer && percentNow(offer.channel, now),
      isOurTurn: offer !== null && isOurTurn(offer, this.#box.boxId(), now),
      checkedAt: this.#checkedAt,
      problems: [this.refusal() ?? [], this.#problems].flat(),
      job,
      percent,
      waits,
      last,
      heldUntil: heldUntil !== null && heldUntil > now ? heldUntil : null,
    }
  }

  /**
   * Stops the timer, aborts a download and the question for the slots, and resolves when the running step has ended or
   * RAUC's service continues without this program.
   */
  async close(): Promise<void> {
    this.#ending.abort(new Error('The appliance is stopping.'))
    await this.#steps.close()
  }

  /** Decides how an update continues after a start, and continues it. Never rejects. */
  begin(): Promise<void> {
    this.#mayWork = true
    this.#steps.begin()
    return this.#begun.promise
  }

  /** Reads the sources. Their faults are in the view. */
  async check(): Promise<void> {
    const { clock, settings, version: running, slots, state } = this.#box
    this.#nextCheck = clock.monotonic() + checkEveryMs
    const architecture = slots?.architecture ?? ownArchitecture()
    const seen = state.seen[settings.channel] ?? null
    const found = await lookForOffers({ settings, clock, running, architecture, seen })
    this.#offer = found.offer
    this.#problems = found.problems
    this.#checkedAt = clock.now()
    const published = Math.max(seen ?? 0, Date.parse(found.newest?.published ?? '') || 0)
    if (published > (seen ?? 0)) keep(this.#box, { seen: { ...state.seen, [settings.channel]: published } })
  }

  /** RAUC may not answer at a start. How the update goes on is decided when it does. */
  async #findOut(): Promise<void> {
    const box = this.#box
    try {
      box.slots = await box.rauc.slots(this.#ending.signal)
      if (box.state.job) await afterRestart(box, box.state.job).catch(box.failed)
      else this.#isStrangeTrial = box.slots !== null && box.slots.booted !== box.slots.primary
      this.#silence = null
      this.#hasDecided = true
    } catch (error) {
      this.#silence = error
      throw error
    } finally {
      this.#begun.resolve()
    }
  }

  /** Does what is due. Nothing is before `begin`. */
  async #look(): Promise<void> {
    if (!this.#mayWork) return
    if (!this.#hasDecided) await this.#findOut()
    const box = this.#box
    await noteLast(box)
    if (this.#isStrangeTrial) this.#isStrangeTrial = !(await confirmStrange(box))
    await advance(box)
    if (box.state.job || !hasSource(box)) return
    if (box.clock.monotonic() >= this.#nextCheck) await this.check()
    if (!this.#offer || !mayBegin(box, this.#offer)) return
    start(box, this.#offer, { by: null, inWindow: true, withoutBackup: false })
    await advance(box)
  }
}

/** Decides how a job continues after a start, and continues it. */
async function afterRestart(box: UpdateBox, job: Job): Promise<void> {
  const { slots } = box
  if (!slots) return finish(box, job, 'failed', [{ code: 'update-no-image' }])
  const reasonOfSystem = box.files.takeReasonOfSystem()
  const onward = afterStart(job, { slots, bootId: box.machine.bootId(), reasonOfSystem })
  if ('result' in onward) return finish(box, job, onward.result, onward.reason)
  move(box, job, onward.job)
  if (onward.isDisarmed) await box.rauc.arm()
}

function refusalOf({ slots, machine }: UpdateBox): Message | null {
  return slots && machine.refusal()
}

function hasSource({ settings }: UpdateBox): boolean {
  return (settings.from ?? settings.folder) !== null && settings.keys.length > 0
}

/** Returns whether the box may now begin the offered update automatically. */
function mayBegin(box: UpdateBox, offer: Offer): boolean {
  const { clock, settings, state } = box
  const now = clock.now()
  if (!box.slots || state.job || !clock.isPlausible() || refusalOf(box)) return false
  const { version, security } = offer.channel
  const isWanted = settings.automatic === 'all' || (settings.automatic === 'security' && security)
  return (
    isWanted &&
    isNews(state.last, version) &&
    !state.failed.includes(version) &&
    (state.heldUntil ?? 0) <= now &&
    !hasJustFailed(state.last, now) &&
    isOurTurn(offer, box.boxId(), now) &&
    isInWindow(settings.window, now, box.zone()) &&
    bustle(box.bustle, clock.monotonic()) === null
  )
}

function hasJustFailed(last: Ended | null, now: number): boolean {
  return last?.result === 'failed' && Math.abs(now - last.endedAt) < againAfterMs
}

/** Returns whether a version is newer than the last confirmed one. The running program's own version number is not used. */
function isNews(last: Ended | null, version: string): boolean {
  return last?.result !== 'confirmed' || compareVersions(version, last.version ?? '') > 0
}

function start(box: UpdateBox, { channel, bundle, source }: Offer, asked: Asked): void {
  const job: Job = {
    ...asked,
    id: randomUUID(),
    version: channel.version,
    from: box.version,
    startedAt: box.clock.now(),
    step: 'downloading',
    source,
    bundle,
    bootId: box.machine.bootId(),
    starts: 0,
    slot: null,
    devices: [],
    missing: [],
  }
  keep(box, { job })
}

function ownArchitecture(): string {
  return process.arch === 'x64' ? 'amd64' : process.arch
}
