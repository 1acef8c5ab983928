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

/** The updates of a box. */
export type Updates = ReturnType<typeof updates>

/** A person's request for an update. */
interface Asked {
  by: string
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

/** Opens the updates of a box. Nothing runs before `begin`. */
export function updates(options: UpdateOptions) {
  const ending = new AbortController()
  const box: UpdateBox = {
    ...options,
    state: options.files.read(),
    slots: null,
    percent: null,
    waits: null,
    ending: ending.signal,
  }
  const { clock, settings, version: running } = options
  let offer: Offer | null = null
  let problems: readonly Message[] = []
  let checkedAt: number | null = null
  let nextCheck = clock.monotonic() + firstCheckMs
  /** Whether a trial runs that this program has neither begun nor confirmed. */
  let isStrangeTrial = false
  const begun = Promise.withResolvers<void>()
  let mayWork = false
  let hasDecided = false
  /** Why RAUC has not said yet which slot runs; null when it has, and before it was asked. */
  let silence: unknown = null

  /** Decides how an update continues after a start, and continues it. Never rejects. */
  function begin(): Promise<void> {
    mayWork = true
    steps.begin()
    return begun.promise
  }

  /** RAUC may not answer at a start. How the update goes on is decided when it does. */
  async function findOut(): Promise<void> {
    try {
      box.slots = await box.rauc.slots(ending.signal)
      await decide().catch(box.failed)
      silence = null
      hasDecided = true
    } catch (error) {
      silence = error
      throw error
    } finally {
      begun.resolve()
    }
  }

  async function decide(): Promise<void> {
    const { job } = box.state
    const { slots } = box
    if (slots && job) {
      const reasonOfSystem = box.files.takeReasonOfSystem()
      const onward = afterStart(job, { slots, bootId: box.machine.bootId(), reasonOfSystem })
      if ('job' in onward) {
        move(box, job, onward.job)
        if (onward.isDisarmed) await box.rauc.arm()
      } else await finish(box, job, onward.result, onward.reason)
    } else if (job) await finish(box, job, 'failed', [{ code: 'update-no-image' }])
    else isStrangeTrial = slots !== null && slots.booted !== slots.primary
  }

  /** Does what is due. Nothing is before `begin`. */
  async function look(): Promise<void> {
    if (!mayWork) return
    if (!hasDecided) await findOut()
    await goOn()
  }

  async function goOn(): Promise<void> {
    await noteLast(box)
    if (isStrangeTrial) isStrangeTrial = !(await confirmStrange(box))
    await advance(box)
    if (box.state.job || !hasSource()) return
    if (clock.monotonic() >= nextCheck) await check()
    if (!mayBegin()) return
    start(offer!, { by: null, inWindow: true, withoutBackup: false })
    await advance(box)
  }

  /** Why a box from an image installs no updates; null when it does. */
  const refusal = () => box.slots && box.machine.refusal()

  function hasSource(): boolean {
    return (settings.from ?? settings.folder) !== null && settings.keys.length > 0
  }

  /** Reads the sources. Their faults are in the view. */
  async function check(): Promise<void> {
    nextCheck = clock.monotonic() + checkEveryMs
    const architecture = box.slots?.architecture ?? ownArchitecture()
    const seen = box.state.seen[settings.channel] ?? null
    const found = await lookForOffers({ settings, clock, running, architecture, seen })
    ;({ offer, problems } = found)
    checkedAt = clock.now()
    const published = Math.max(seen ?? 0, Date.parse(found.newest?.published ?? '') || 0)
    if (published > (seen ?? 0)) keep(box, { seen: { ...box.state.seen, [settings.channel]: published } })
  }

  /** Returns whether the box may now begin the offered update automatically. */
  function mayBegin(): boolean {
    const now = clock.now()
    if (!offer || !box.slots || box.state.job || !clock.isPlausible() || refusal()) return false
    const { version, security } = offer.channel
    const isWanted = settings.automatic === 'all' || (settings.automatic === 'security' && security)
    return (
      isWanted &&
      isNews(version) &&
      !box.state.failed.includes(version) &&
      (box.state.heldUntil ?? 0) <= now &&
      !hasJustFailed(now) &&
      isOurTurn(offer, box.boxId(), now) &&
      isInWindow(settings.window, now, box.zone()) &&
      bustle(box.bustle, clock.monotonic()) === null
    )
  }

  function hasJustFailed(now: number): boolean {
    const { last } = box.state
    return last?.result === 'failed' && Math.abs(now - last.endedAt) < againAfterMs
  }

  /**
   * Returns whether a version is newer than the last confirmed one. The running program's own version number is not
   * used.
   */
  function isNews(version: string): boolean {
    const { last } = box.state
    return last?.result !== 'confirmed' || compareVersions(version, last.version ?? '') > 0
  }

  function start({ channel, bundle, source }: Offer, asked: Omit<Asked, 'by'> & { by: string | null }): void {
    const job: Job = {
      ...asked,
      id: randomUUID(),
      version: channel.version,
      from: running,
      startedAt: clock.now(),
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

  const steps = options.background.every('updates', lookEveryMs, look)
  return {
    begin,
    refusal,
    /** Resolves when `begin` has found out whether an image runs and how an update continues. */
    begun: begun.promise,
    check,
    /** Begins an update to the newest version that the sources offer. Rejects with UpdateRefused. */
    async install(asked: Asked): Promise<void> {
      await begun.promise
      if (silence !== null) throw silence
      if (!box.slots) throw new UpdateRefused({ code: 'update-no-image' })
      const reason = refusal()
      if (reason) throw new UpdateRefused(reason)
      await check()
      // There is no await between this check and `start`, so no second update can begin.
      if (box.state.job)
        throw new UpdateRefused({
          code: 'update-in-progress',
          values: { version: box.state.job.version ?? '?' },
        })
      start(expectOffer(offer, problems, running), asked)
      steps.begin()
    },
    /** Until this time, Unix milliseconds, the box begins no update automatically; null ends the pause. */
    hold(until: number | null): void {
      keep(box, { heldUntil: until })
    },
    /** Confirms a trial with missing conditions. Rejects with UpdateRefused when no trial runs. */
    async confirm(): Promise<void> {
      await begun.promise
      if (silence !== null) throw silence
      const { job } = box.state
      if (job?.step !== 'trial' && !isStrangeTrial) throw new UpdateRefused({ code: 'update-no-trial' })
      const [reason] = await confirmed(box)
      if (reason) throw new UpdateRefused({ code: 'update-rauc-failed', values: { detail: reason.text } })
      isStrangeTrial = false
      if (job && box.state.job?.id === job.id) await finish(box, job, 'confirmed', [])
    },
    view(): UpdateView {
      const now = clock.now()
      const { job, last, heldUntil } = box.state
      return {
        version: running,
        slot: box.slots?.booted ?? null,
        offer: offer?.channel ?? null,
        bytes: offer?.bundle.size ?? null,
        percentOfBoxes: offer && percentNow(offer.channel, now),
        isOurTurn: offer !== null && isOurTurn(offer, box.boxId(), now),
        checkedAt,
        problems: [refusal() ?? [], problems].flat(),
        job,
        percent: box.percent,
        waits: box.waits,
        last,
        heldUntil: heldUntil !== null && heldUntil > now ? heldUntil : null,
      }
    },
    /** Returns whether a step is running. */
    isUnderWay: steps.isUnderWay,
    /**
     * Stops the timer, aborts a download and the question for the slots, and resolves when the running step has ended or
     * RAUC's service continues without this program.
     */
    async close(): Promise<void> {
      ending.abort(new Error('The appliance is stopping.'))
      await steps.close()
    },
  }
}

function ownArchitecture(): string {
  return process.arch === 'x64' ? 'amd64' : process.arch
}
