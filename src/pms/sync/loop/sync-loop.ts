import { DeviceFault } from '../../../devices/fault.ts'
import type { Feed } from '../../../events/feed.ts'
import type { BackgroundWork } from '../../../host/background-work.ts'
import type { Clock, Timer } from '../../../host/clock.ts'
import type { Message } from '../../../jsonapi/locales/message.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Session } from '../../session.ts'
import type { SyncNotifications } from '../../sync-contract.ts'
import { Inbound } from '../inbound/inbound.ts'
import type { Counts } from '../link.ts'
import { offerAll } from '../outbound/offer-all.ts'
import { passOver, publishAll } from '../outbound/publish-all.ts'
import { tail } from '../quarantine/journal-tail.ts'
import { retriesOf } from '../quarantine/retry.ts'
import { attemptStep, holds, type Step } from './holds.ts'
import { inStep } from './in-step.ts'
import { following, lineState } from './line.ts'
import { type Linked, type LinkedOptions, linked, sumOf } from './linked.ts'
import { pullFirst } from './pull-first.ts'
import { type Outcome, rounds, type SyncRequest } from './rounds.ts'
import { turnOf } from './turn.ts'

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
 * The appliance and one PMS, kept in step until it is closed. Two directions, each with rounds of its own: while a long pull goes
 * on, what happens here is sent. After the line was down, the pull goes first for at most a minute.
 */
export class SyncLoop {
  /** The steps' tools, for what is done out of turn. */
  readonly linked: Linked
  readonly #outLink: Linked
  readonly #options: SyncLoopOptions
  readonly #gives: boolean
  readonly #line
  readonly #followed
  readonly #held
  readonly #arriving
  readonly #retries
  readonly #first
  readonly #settled
  readonly #roundsIn
  readonly #roundsOut
  readonly #stopFeed: () => void
  readonly #timers: readonly Timer[]
  readonly #running: Promise<unknown>
  #gathering: Timer | null = null
  #offersAgain = false
  #isClosed = false
  /** Unix milliseconds at which nothing was left to be fetched last; null when that was never so. */
  readonly inStepAt = (): number | null => this.#settled.at()
  /** It receives the events of the appliance. */
  readonly isPublishing = (): boolean => this.#gives && this.#followed.side()?.publish !== undefined
  /** Something is known to be there that was not fetched yet, or it is not known. */
  readonly isBehind = (): boolean => this.#arriving.isBehind()
  /** What the adapter notes of the line although it works. */
  readonly notes = (): readonly Message[] => this.#followed.side()?.notes?.() ?? []

  constructor(options: SyncLoopOptions) {
    const { configuration, clock, background, failed, feed } = options
    const { direction, heartbeatSeconds, name } = configuration
    const isOver = () => this.#isClosed
    const link = () => linked({ ...options, sessionOf: () => this.#session(), isOver })
    const common = { ended: (isLeft: boolean) => this.#settle(isLeft), isOver }
    this.#options = options
    this.linked = link()
    this.#outLink = link()
    this.#gives = direction !== 'FromPms'
    this.#line = lineState(this.linked)
    this.#followed = following(failed)
    this.#held = holds(clock, () => this.#wake())
    this.#arriving = new Inbound(this.linked, clock, direction !== 'ToPms')
    this.#retries = retriesOf(this.linked, { clock, due: () => this.#roundsIn.wake() })
    this.#first = pullFirst(clock)
    this.#settled = inStep(this.linked, this.#outLink)
    this.#roundsIn = rounds({
      ...common,
      link: this.linked,
      work: background.follow('pms-pull', name),
      prepare: (request) => {
        this.#held.release()
        if (request !== 'push') this.#arriving.wantPull(request === 'full-load')
      },
      step: () => this.#stepIn(),
      failed: (error) => this.#troubled(['pull'], error),
    })
    this.#roundsOut = rounds({
      ...common,
      link: this.#outLink,
      work: background.follow('pms-push', name),
      prepare: (request) => {
        this.#offersAgain ||= request === 'push'
      },
      step: () => this.#stepOut(),
      failed: (error) => this.#troubled(['offer', 'publish'], error),
    })
    this.#stopFeed = feed.changed(() => {
      this.#gathering ??= clock
        .setTimeout(() => {
          this.#gathering = null
          this.#roundsOut.wake()
        }, gathersMs)
        .unref()
    })
    this.#timers = [
      clock.setInterval(() => this.#beat(), (heartbeatSeconds ?? 60) * 1_000).unref(),
      clock
        .setInterval(() => {
          this.#arriving.wantReadAgain()
          this.#roundsIn.wake()
        }, readAgainMs)
        .unref(),
    ]
    this.#running = Promise.all([this.#roundsIn.run(), this.#roundsOut.run()])
  }

  /** The PMS has answered, or the fault that kept it from it. */
  heard(fault: DeviceFault | null): void {
    if (fault) {
      this.#settled.unsettle()
      this.#arriving.isLate()
    } else this.#arriving.answered()
    this.#line.report(fault?.message ?? null)
  }

  /** Does it now, whatever is waited for. Resolves with the counts of the rounds; rejects with the DeviceFault or Problem. */
  async ask(request: SyncRequest): Promise<Counts> {
    if (this.#isClosed) throw stopping()
    const taken = this.#roundsIn.ask(request)
    this.#roundsIn.wake()
    const fetched = await taken
    if (this.#isClosed) throw stopping()
    const given = this.#roundsOut.ask(request)
    this.#roundsOut.wake()
    return sumOf(fetched, await given)
  }

  /** Why the two do not get in step although the PMS answers; null while nothing is known of that kind. */
  trouble(): string | null {
    const endless = this.#arriving.trouble()
    // Where the PMS answers no request, its contact has the fault.
    if (endless !== null || this.#line.isConnected() === false) return endless
    const [fault] = [...this.#held.faults(), ...this.#outLink.failures.values()]
    return fault ?? null
  }

  /** Resolves when nothing is written any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopFeed()
    for (const timer of [...this.#timers, this.#gathering]) timer?.cancel()
    this.#retries.close()
    this.#held.release()
    this.#followed.end()
    this.#arriving.forgetNews()
    this.#wake()
    await this.#running
    for (const each of [this.#roundsIn, this.#roundsOut]) each.close(stopping())
    await this.#line.settled()
  }

  /** One that is closed opens nothing: the adapter that is set up now belongs to another. */
  #session(): Session {
    if (this.#isClosed) throw stopping()
    return this.#options.sessionOf()
  }

  #wake(): void {
    this.#roundsIn.wake()
    this.#roundsOut.wake()
  }

  #beat(): void {
    this.#arriving.wantPull()
    this.#wake()
  }

  readonly #listener: SyncNotifications = {
    changes: (page) => {
      if (this.#isClosed || this.#options.configuration.direction === 'ToPms') return
      this.#arriving.hear(page)
      this.#roundsIn.wake()
    },
    takesChanges: () => this.#arriving.takesNews(),
    poke: () => {
      this.#arriving.wantPull()
      this.#arriving.isLate()
      this.#roundsIn.wake()
    },
    line: (state, reason) => {
      if (this.#isClosed) return
      const fault =
        state === 'up' ? null : new DeviceFault('adapter-timeout', reason ?? 'The connection is closed.')
      this.#options.line(fault)
      // A line may be wrong about itself, so it is tried all the same, after a while.
      if (fault) {
        this.#first.again()
        // News that arrives before the line says that it is up is not all that was missed.
        this.#arriving.wantPull()
        return this.#held.hold('pull', fault)
      }
      this.#held.release()
      this.#beat()
    },
  }

  /** The appliance cannot write now, or the fault is internal. */
  #troubled(steps: readonly Step[], error: unknown): void {
    if (!(error instanceof Problem)) this.#options.failed(error)
    if (!this.#isClosed) for (const step of steps) this.#held.hold(step, {})
  }

  #attempt(outcome: Outcome, name: Step, work: () => Promise<boolean>): Promise<void> {
    return attemptStep(name, work, { outcome, held: this.#held, isOver: () => this.#isClosed })
  }

  async #stepIn(): Promise<Outcome> {
    const outcome: Outcome = { faults: {}, left: {} }
    await this.#attempt(outcome, 'pull', async () => {
      this.#follow()
      return this.#arriving.take({ mayRead: this.#followed.side()?.read !== undefined })
    })
    // A quarantined page has pauses of its own: it keeps back no other.
    if (!this.#held.isHeld('pull'))
      await this.#attempt(outcome, 'pages', () => this.#arriving.takePagesAgain())
    if (outcome.left.pages) outcome.left.pull = true
    await this.#retries.whenDue()
    this.#first.after({
      isLeft: outcome.left.pull === true,
      isHeld: this.#held.isHeld('pull'),
      isEndless: this.#arriving.trouble() !== null,
    })
    if (this.#first.hasPulled()) this.#roundsOut.wake()
    return outcome
  }

  async #stepOut(): Promise<Outcome> {
    const outcome: Outcome = { faults: {}, left: {} }
    if (await tail(this.#outLink)) {
      this.#retries.setUp()
      this.#roundsIn.wake()
    }
    if (!this.#first.hasPulled()) return outcome
    if (this.#gives && this.#followed.side()?.push) await this.#attempt(outcome, 'offer', () => this.#offer())
    if (this.isPublishing())
      await this.#attempt(outcome, 'publish', () => publishAll(this.#outLink, turnOf(this.#options.clock)))
    else await passOver(this.#outLink)
    // Nothing goes either way: the line is down.
    if (this.#held.isHeld('pull') && Object.keys(outcome.faults).length > 0) this.#first.again()
    return outcome
  }

  async #offer(): Promise<boolean> {
    const link = this.#outLink
    if (this.#offersAgain)
      await link.write(link.changes.offerAgain, { configurationId: link.configuration.id })
    this.#offersAgain = false
    return offerAll(link, this.#followed.side() ?? {}, turnOf(this.#options.clock))
  }

  /** Looks whether nothing is left in either direction. */
  async #settle(isLeft: boolean): Promise<void> {
    const arriving = this.#arriving
    if (isLeft) this.#settled.unsettle()
    if (this.#roundsIn.isBusy()) return
    arriving.look(
      this.#line.isConnected() === false || this.#held.isHeld('pull') || this.#held.isHeld('pages'),
    )
    const knownAt = arriving.knownAt()
    // It may have changed since the PMS was asked last.
    if (!arriving.isBehind() && knownAt !== null) this.#settled.known(knownAt)
    if (arriving.isBehind() || this.#held.any() || this.#isClosed) this.#settled.unsettle()
    // The other direction looks again at its end.
    else if (this.#roundsIn.isQuiet() && this.#roundsOut.isQuiet()) await this.#settled.keep()
  }

  /** Listens to the adapter that is at work, which is another one after the one before was stuck. */
  #follow(): void {
    const session = this.#session()
    if (this.#followed.is(session)) return
    this.#followed.end()
    this.#arriving.forgetNews()
    this.#followed.begin(session, this.#listener)
    this.#arriving.wantPull()
  }
}

function stopping(): Problem {
  return new Problem('starting-up', 'The appliance is stopping.')
}
