import { DeviceFault } from '../../devices/fault.ts'
import type { Feed } from '../../events/feed.ts'
import type { Clock, Timer } from '../../host/clock.ts'
import { Problem } from '../../resource/problem.ts'
import { pmsActor } from '../pms-actor.ts'
import type { SyncNotifications } from '../sync-contract.ts'
import { attemptStep } from './attempt-step.ts'
import { type Errand, errandQueue, type Outcome } from './errand-queue.ts'
import { following } from './following.ts'
import { holds, type Step } from './holds.ts'
import { lineTold } from './line-told.ts'
import type { Counts } from './link.ts'
import { type Linked, type LinkedOptions, linked, noCounts } from './linked.ts'
import { newsQueue } from './news-queue.ts'
import { offerAll } from './offer-all.ts'
import { pageCount } from './page-count.ts'
import { passOver, publishAll } from './publish-all.ts'
import { readAgain } from './read-again.ts'
import { retriesOf } from './retries.ts'
import { roundsOf } from './rounds.ts'
import { tail } from './tail.ts'
import { takeAll } from './take-in.ts'
import { takeNews } from './take-news.ts'
import { turnOf } from './turn.ts'

/** The house and one PMS, kept in step until it is closed. */
export interface SyncLoop {
  /** Of the configuration that it was begun with. */
  revision: number
  /** The PMS has answered, or the fault that kept it from it. */
  heard(fault: DeviceFault | null): void
  /** Does it now, whatever is waited for. Resolves with what the round came to; rejects with its DeviceFault or Problem. */
  ask(errand: Errand): Promise<Counts>
  /** The steps' tools, for what is done out of turn. */
  linked: Linked
  /** Unix milliseconds at which nothing was left to be fetched last; null when that was never so. */
  inStepAt(): number | null
  /** It is told what happens here. */
  isPublishing(): boolean
  /** Something is known to be there that was not fetched yet, or it is not known. */
  isBehind(): boolean
  /** Why the two do not get in step although the PMS answers; null while nothing is known of that kind. */
  trouble(): string | null
  /** Resolves when nothing is written any more. */
  close(): Promise<void>
}

interface SyncLoopOptions extends Omit<LinkedOptions, 'isOver'> {
  feed: Pick<Feed, 'after' | 'changed'>
  clock: Clock
  /** Told when a line says by itself that it came, or went with the reason. */
  line(fault: DeviceFault | null): void
}

/** What is written at the same time as something else is looked at together. */
const gathersMs = 50
/** What the PMS has told and could not be read is read there again after so long. */
const readAgainMs = 600_000
/** That nothing is left is kept so often while it stays so. */
const keepEveryMs = 60_000

export function syncLoop(options: SyncLoopOptions): SyncLoop {
  const { configuration, clock, failed } = options
  const { now } = clock
  const { id: configurationId, direction, heartbeatSeconds } = configuration
  const [takes, gives] = [direction !== 'ToPms', direction !== 'FromPms']
  let isClosed = false
  /** Whoever is closed opens nothing any more: the adapter that is set up now is another's. */
  const sessionOf = () => {
    if (isClosed) throw stopping()
    return options.sessionOf()
  }
  const link = linked({ ...options, sessionOf, isOver: () => isClosed })
  const told = lineTold(link)
  const news = newsQueue()
  const { wake, run } = roundsOf(round, () => isClosed)
  const held = holds(clock, wake)
  const wants = { pull: takes, anew: false, readAgain: false, offerAgain: false }
  const retries = retriesOf(link, { clock, due: wake })
  const errands = errandQueue()
  let inStepAt: number | null = link.link().inStepAt ?? null
  /** When the PMS was asked that had nothing more to be fetched; of one that is only told, when it answered. */
  let knownAt: number | null = null
  let keptInStepAt: number | null = null
  let isBehind = true
  const followed = following(failed)
  const pages = pageCount(configuration.name)
  let isSettled = false

  let gathering: Timer | null = null
  const stopFeed = options.feed.changed(() => {
    gathering ??= clock.setTimeout(gathered, gathersMs).unref()
  })
  const heartbeat = clock.setInterval(beat, (heartbeatSeconds ?? 60) * 1_000).unref()

  const rereading = clock.setInterval(() => {
    wants.readAgain = takes
    wake()
  }, readAgainMs)
  rereading.unref()

  function beat(): void {
    wants.pull = takes
    wake()
  }

  function gathered(): void {
    gathering = null
    wake()
  }

  const listener: SyncNotifications = {
    changes(page) {
      if (!takes || isClosed) return
      if (!news.add(page)) wants.pull = true
      isBehind = true
      wake()
    },
    poke() {
      wants.pull = takes
      isBehind = true
      wake()
    },
    line(state, reason) {
      if (isClosed) return
      const fault =
        state === 'up' ? null : new DeviceFault('adapter-timeout', reason ?? 'The connection is closed.')
      options.line(fault)
      // A line may be wrong about itself, so it is tried all the same, after a while.
      if (fault) return held.hold('pull', fault)
      held.release()
      wants.pull = takes
      wake()
    },
  }

  /** Never rejects: whatever goes wrong is waited out. */
  async function round(): Promise<void> {
    const { fresh, goesOn } = errands.begin()
    for (const errand of fresh) prepare(errand)
    if (!goesOn) link.counts = noCounts()
    try {
      const outcome = await step()
      errands.settle(outcome, link.counts)
      if (Object.values(outcome.left).includes(true)) wake()
    } catch (error) {
      errands.fail(error)
      // The house cannot write now, or the fault is ours.
      if (!(error instanceof Problem)) failed(error)
      if (!isClosed) held.hold('pull', {})
    }
  }

  function prepare(errand: Errand): void {
    held.release()
    if (errand === 'push') wants.offerAgain = true
    else wants.pull = takes
    if (errand === 'full-load') wants.anew = takes
  }

  async function step(): Promise<Outcome> {
    const { faults, left }: Outcome = { faults: {}, left: {} }
    const attempt = (name: Step, work: () => Promise<boolean>) =>
      attemptStep(name, work, { outcome: { faults, left }, held, isOver: () => isClosed })
    await look()
    await attempt('pull', async () => {
      follow()
      if (wants.readAgain && followed.side()?.read) await readAgain(link)
      wants.readAgain = false
      return takeIn()
    })
    await retries.whenDue()
    // A PMS that cannot be asked what it has cannot be told anything either; one that has more without end can.
    if (!held.isHeld('pull') || pages.trouble() !== null) {
      await look()
      if (gives && followed.side()?.push) await attempt('offer', offer)
      if (isPublishing()) await attempt('publish', () => publishAll(link, turnOf(clock)))
      else await passOver(link)
    }
    await settle(Object.values(left).includes(true))
    return { faults, left }
  }

  function isPublishing(): boolean {
    return gives && followed.side()?.publish !== undefined
  }

  async function look(): Promise<void> {
    if (await tail(link, pmsActor(configurationId))) retries.setUp()
  }

  /** Answers whether the PMS has more. */
  async function takeIn(): Promise<boolean> {
    if (!takes) return false
    const isTold = !news.isEmpty()
    let from = now()
    if (await takeNews(link, news)) wants.pull = true
    else if (isTold) knownAt = from
    if (wants.anew) await link.write(link.changes.keepPlace, { configurationId, pullCursor: null })
    wants.anew = false
    if (!wants.pull) return false
    // What tells that there is something to fetch while it is fetched is for the next round.
    wants.pull = false
    from = now()
    try {
      const isEnd = await takeAll(link, turnOf(clock), (page) => {
        isBehind = true
        pages.more(page)
      })
      wants.pull ||= !isEnd
      if (isEnd) knownAt = from
      if (isEnd) pages.end()
      pages.expectAnEnd()
      return !isEnd
    } catch (error) {
      wants.pull = true
      throw error
    }
  }

  async function offer(): Promise<boolean> {
    if (wants.offerAgain) await link.write(link.changes.offerAgain, { configurationId })
    wants.offerAgain = false
    return offerAll(link, followed.side() ?? {}, turnOf(clock))
  }

  /** Whether the round has left nothing, and says so where it is news. */
  async function settle(isLeft: boolean): Promise<void> {
    const isAway = told.isConnected() === false || held.isHeld('pull')
    isBehind = takes && (wants.pull || !news.isEmpty() || isAway)
    // What nobody has asked the PMS, nobody knows: it may be gone since.
    if (!isBehind && knownAt !== null) inStepAt = knownAt
    const isDone = !isBehind && !isLeft && !held.any() && !isClosed
    const isNews = isDone && !isSettled
    isSettled = isDone
    const isKept = Math.abs((inStepAt ?? 0) - (keptInStepAt ?? 0)) < keepEveryMs
    if (!isDone || (!isNews && isKept)) return
    keptInStepAt = inStepAt
    await link.write(link.changes.keepInStep, {
      configurationId,
      inStepAt,
      counts: link.counts,
      told: isNews,
    })
  }

  /** Listens to the adapter that is at work, which is another one after the one before was stuck. */
  function follow(): void {
    const session = sessionOf()
    if (followed.is(session)) return
    unfollow()
    followed.begin(session, listener)
    wants.pull = takes
  }

  function unfollow(): void {
    followed.end()
    news.clear()
  }

  const running = run()

  return {
    revision: configuration.revision,
    linked: link,
    heard(fault) {
      if (fault) {
        isSettled = false
        isBehind = takes
      } else if (!takes) knownAt = now()
      told.tell(fault?.message ?? null)
    },
    ask(errand) {
      if (isClosed) return Promise.reject(stopping())
      const done = errands.ask(errand)
      wake()
      return done
    },
    inStepAt: () => inStepAt,
    isPublishing,
    isBehind: () => isBehind,
    trouble: pages.trouble,
    async close() {
      isClosed = true
      stopFeed()
      for (const timer of [heartbeat, gathering, rereading]) timer?.cancel()
      retries.close()
      held.release()
      unfollow()
      wake()
      await running
      errands.close(stopping())
      await told.settled()
    },
  }
}

function stopping(): Problem {
  return new Problem('starting-up', 'The appliance is stopping.')
}
