import { DeviceFault } from '../../../devices/fault.ts'
import type { Feed } from '../../../events/feed.ts'
import type { BackgroundWork } from '../../../host/background-work.ts'
import type { Clock, Timer } from '../../../host/clock.ts'
import type { Message } from '../../../jsonapi/locales/message.ts'
import { Problem } from '../../../resource/problem.ts'
import type { SyncNotifications } from '../../sync-contract.ts'
import { inbound } from '../inbound/inbound.ts'
import type { Counts } from '../link.ts'
import { offerAll } from '../outbound/offer-all.ts'
import { passOver, publishAll } from '../outbound/publish-all.ts'
import { tail } from '../quarantine/journal-tail.ts'
import { retriesOf } from '../quarantine/retry.ts'
import { attemptStep, holds, type Step } from './holds.ts'
import { inStep } from './in-step.ts'
import { lane, type Outcome, type SyncRequest } from './lane.ts'
import { following, lineState } from './line.ts'
import { type Linked, type LinkedOptions, linked, sumOf } from './linked.ts'
import { pullFirst } from './pull-first.ts'
import { turnOf } from './turn.ts'

/** The appliance and one PMS, kept in step until it is closed. */
export interface SyncLoop {
  /** Of the configuration that it was begun with. */
  revision: number
  /** The PMS has answered, or the fault that kept it from it. */
  heard(fault: DeviceFault | null): void
  /** Does it now, whatever is waited for. Resolves with the counts of the rounds; rejects with the DeviceFault or Problem. */
  ask(request: SyncRequest): Promise<Counts>
  /** The steps' tools, for what is done out of turn. */
  linked: Linked
  /** Unix milliseconds at which nothing was left to be fetched last; null when that was never so. */
  inStepAt(): number | null
  /** It receives the events of the appliance. */
  isPublishing(): boolean
  /** Something is known to be there that was not fetched yet, or it is not known. */
  isBehind(): boolean
  /** Why the two do not get in step although the PMS answers; null while nothing is known of that kind. */
  trouble(): string | null
  /** What the adapter notes of the line although it works. */
  notes(): readonly Message[]
  /** Resolves when nothing is written any more. */
  close(): Promise<void>
}

interface SyncLoopOptions extends Omit<LinkedOptions, 'isOver'> {
  feed: Pick<Feed, 'after' | 'changed'>
  clock: Clock
  background: BackgroundWork
  /** Called when a line reports unasked that it is up, or down for the reason. */
  line(fault: DeviceFault | null): void
}

/** What is written at the same time as something else is looked at together. */
const gathersMs = 50
/** What the PMS has sent and could not be read is read there again after so long. */
const readAgainMs = 600_000

/**
 * Two directions, each with rounds of its own: while a long pull goes on, what happens here is sent. After the line was down, the
 * pull goes first for at most a minute.
 */
export function syncLoop(options: SyncLoopOptions): SyncLoop {
  const { configuration, clock, background, failed } = options
  const { id: configurationId, direction, heartbeatSeconds } = configuration
  const [takes, gives] = [direction !== 'ToPms', direction !== 'FromPms']
  let isClosed = false
  const isOver = () => isClosed
  /** One that is closed opens nothing: the adapter that is set up now belongs to another. */
  const sessionOf = () => {
    if (isClosed) throw stopping()
    return options.sessionOf()
  }
  const [inLink, outLink] = [0, 1].map(() => linked({ ...options, sessionOf, isOver })) as [Linked, Linked]
  const line = lineState(inLink)
  const followed = following(failed)
  const held = holds(clock, wake)
  const arriving = inbound(inLink, clock, takes)
  const retries = retriesOf(inLink, { clock, due: () => inLane.wake() })
  const first = pullFirst(clock)
  const settled = inStep(inLink, outLink)
  let offersAgain = false

  const common = { ended: settle, isOver }
  const inLane = lane({
    ...common,
    link: inLink,
    work: background.follow('pms-pull', configuration.name),
    prepare,
    step: stepIn,
    failed: troubled(['pull']),
  })
  const outLane = lane({
    ...common,
    link: outLink,
    work: background.follow('pms-push', configuration.name),
    prepare: (request) => {
      offersAgain ||= request === 'push'
    },
    step: stepOut,
    failed: troubled(['offer', 'publish']),
  })

  let gathering: Timer | null = null
  const stopFeed = options.feed.changed(() => {
    gathering ??= clock.setTimeout(gathered, gathersMs).unref()
  })
  const heartbeat = clock.setInterval(beat, (heartbeatSeconds ?? 60) * 1_000).unref()
  const rereading = clock.setInterval(reread, readAgainMs).unref()

  function wake(): void {
    inLane.wake()
    outLane.wake()
  }

  function beat(): void {
    arriving.wantPull()
    wake()
  }

  function reread(): void {
    arriving.wantReadAgain()
    inLane.wake()
  }

  function gathered(): void {
    gathering = null
    outLane.wake()
  }

  const listener: SyncNotifications = {
    changes(page) {
      if (!takes || isClosed) return
      arriving.hear(page)
      inLane.wake()
    },
    takesChanges: arriving.takesNews,
    poke() {
      arriving.wantPull()
      arriving.isLate()
      inLane.wake()
    },
    line(state, reason) {
      if (isClosed) return
      const fault =
        state === 'up' ? null : new DeviceFault('adapter-timeout', reason ?? 'The connection is closed.')
      options.line(fault)
      // A line may be wrong about itself, so it is tried all the same, after a while.
      if (fault) {
        first.again()
        // News that arrives before the line says that it is up is not all that was missed.
        arriving.wantPull()
        return held.hold('pull', fault)
      }
      held.release()
      beat()
    },
  }

  function prepare(request: SyncRequest): void {
    held.release()
    if (request !== 'push') arriving.wantPull(request === 'full-load')
  }

  /** The appliance cannot write now, or the fault is internal. */
  function troubled(steps: readonly Step[]) {
    return (error: unknown) => {
      if (!(error instanceof Problem)) failed(error)
      if (!isClosed) for (const step of steps) held.hold(step, {})
    }
  }

  function attempting() {
    const outcome: Outcome = { faults: {}, left: {} }
    const attempt = (name: Step, work: () => Promise<boolean>) =>
      attemptStep(name, work, { outcome, held, isOver })
    return { outcome, attempt }
  }

  async function stepIn(): Promise<Outcome> {
    const { outcome, attempt } = attempting()
    await attempt('pull', async () => {
      follow()
      return arriving.take({ mayRead: followed.side()?.read !== undefined })
    })
    // A quarantined page has pauses of its own: it keeps back no other.
    if (!held.isHeld('pull')) await attempt('pages', arriving.takePagesAgain)
    if (outcome.left.pages) outcome.left.pull = true
    await retries.whenDue()
    first.after({
      isLeft: outcome.left.pull === true,
      isHeld: held.isHeld('pull'),
      isEndless: arriving.trouble() !== null,
    })
    if (first.hasPulled()) outLane.wake()
    return outcome
  }

  async function stepOut(): Promise<Outcome> {
    const { outcome, attempt } = attempting()
    if (await tail(outLink)) {
      retries.setUp()
      inLane.wake()
    }
    if (!first.hasPulled()) return outcome
    if (gives && followed.side()?.push) await attempt('offer', offer)
    if (isPublishing()) await attempt('publish', () => publishAll(outLink, turnOf(clock)))
    else await passOver(outLink)
    // Nothing goes either way: the line is down.
    if (held.isHeld('pull') && Object.keys(outcome.faults).length > 0) first.again()
    return outcome
  }

  const isPublishing = () => gives && followed.side()?.publish !== undefined

  async function offer(): Promise<boolean> {
    if (offersAgain) await outLink.write(outLink.changes.offerAgain, { configurationId })
    offersAgain = false
    return offerAll(outLink, followed.side() ?? {}, turnOf(clock))
  }

  /** Looks whether nothing is left in either direction. */
  async function settle(isLeft: boolean): Promise<void> {
    if (isLeft) settled.unsettle()
    if (inLane.isBusy()) return
    arriving.look(line.isConnected() === false || held.isHeld('pull') || held.isHeld('pages'))
    const knownAt = arriving.knownAt()
    // It may have changed since the PMS was asked last.
    if (!arriving.isBehind() && knownAt !== null) settled.known(knownAt)
    if (arriving.isBehind() || held.any() || isClosed) settled.unsettle()
    // The other direction looks again at its end.
    else if (inLane.isQuiet() && outLane.isQuiet()) await settled.keep()
  }

  /** What the PMS fails in while it answers other requests; otherwise its contact has the fault. */
  function faultBesides(): string | null {
    if (line.isConnected() === false) return null
    const [fault] = [...held.faults(), ...outLink.failures.values()]
    return fault ?? null
  }

  /** Listens to the adapter that is at work, which is another one after the one before was stuck. */
  function follow(): void {
    const session = sessionOf()
    if (followed.is(session)) return
    unfollow()
    followed.begin(session, listener)
    arriving.wantPull()
  }

  function unfollow(): void {
    followed.end()
    arriving.forgetNews()
  }

  const running = Promise.all([inLane.run(), outLane.run()])

  return {
    revision: configuration.revision,
    linked: inLink,
    heard(fault) {
      if (fault) {
        settled.unsettle()
        arriving.isLate()
      } else arriving.answered()
      line.report(fault?.message ?? null)
    },
    async ask(request) {
      if (isClosed) throw stopping()
      const taken = inLane.ask(request)
      inLane.wake()
      const fetched = await taken
      if (isClosed) throw stopping()
      const given = outLane.ask(request)
      outLane.wake()
      return sumOf(fetched, await given)
    },
    inStepAt: settled.at,
    isPublishing,
    isBehind: arriving.isBehind,
    trouble: () => arriving.trouble() ?? faultBesides(),
    notes: () => followed.side()?.notes?.() ?? [],
    async close() {
      isClosed = true
      stopFeed()
      for (const timer of [heartbeat, gathering, rereading]) timer?.cancel()
      retries.close()
      held.release()
      unfollow()
      wake()
      await running
      for (const each of [inLane, outLane]) each.close(stopping())
      await line.settled()
    },
  }
}

function stopping(): Problem {
  return new Problem('starting-up', 'The appliance is stopping.')
}
