import { atMost } from '../../src/devices/at-most.ts'
import { bay } from '../../src/devices/bay.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { deadline } from '../../src/devices/inbox.ts'
import type { LockCall, LockSetup, OnlineGrant, OnlineLockSystem } from '../../src/devices/lock-system.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
import { codePage } from './code-page.ts'
import { grantProblem, lockCodeProblem, missing, revokesOf, traitsOf } from './grant.ts'
import { changeRequest, deleteRequest, keyRequest, readKey, uidOf } from './key-records.ts'
import { NotSent } from './line.ts'
import { readDate, readTime, stamp } from './moments.ts'
import { type Marks, outstanding } from './outstanding.ts'
import { type PmsLink, pmsLink, type Wanted } from './pms-link.ts'
import type { FiasRecord } from './record.ts'
import { lineSettings, requestSettings } from './settings.ts'
import { expectDone, goneToo } from './statuses.ts'
import { wires } from './wires.ts'

/** How long an answer that never came bars an encoder for requests whose answers would look the same. */
const owedMs = 60_000
/** How many may wait for one encoder, the one at work included. */
const mostAtEncoder = 6
/** How long a caller waits for a link that is not there. */
const linkMs = 5_000

type Fields = Record<string, string | null>

/** A key system that is asked over FIAS, ourselves being the PMS. */
export function fiasLockSystem(setup: LockSetup): OnlineLockSystem {
  const { name, clock, wallTime, instantOf } = setup
  const { now } = clock
  const settings = lineSettings(setup.connection)
  const { workstation, options } = requestSettings(setup.connection)
  const page = codePage(settings.codePage)
  const source = wires(settings, { ...setup, isThere: async () => (await newest?.isThere()) ?? false })
  const answers = outstanding(owedMs * settings.patience, clock)
  const queues = new Map<string, ReturnType<typeof oneAtATime>>()
  let newest: PmsLink | null = null
  let active: PmsLink | null = null
  /** What was wanted when the link was last of use. */
  let wanted: Wanted | null = null
  let skewMs: number | null = null
  let isClosed = false

  const line = bay<PmsLink>({
    name,
    clock,
    log: setup.log,
    offlineCode: 'lock-system-unreachable',
    startTimeoutMs: source.startTimeoutMs,
    backoff: source.backoff,
    async open(signal) {
      const wire = await source.open(signal)
      const device: PmsLink = pmsLink(wire, {
        ...settings,
        clock,
        page,
        wallTime: () => wallTime(now()),
        answered: (record) => void answers.hear(record),
        stamped: compareClocks,
        active(isActive) {
          if (isActive) use(device)
          else if (active === device) active = null
        },
        gone() {
          // A wire that is slow to close may be outlived by its successor.
          if (active === null) answers.lost()
        },
      })
      newest = device
      return { device, wire }
    },
    started: (device) => device.start(),
  })

  function use(device: PmsLink): void {
    active = device
    wanted = device.wanted
  }

  function compareClocks({ DA, TI }: FiasRecord['fields']): void {
    const [date, time] = [readDate(DA), readTime(TI)]
    if (!date || !time) return
    // Of a time that is shown twice the one that is nearer.
    const skews = (['start', 'end'] as const).map((edge) => instantOf({ date, time }, edge) - now())
    skewMs = skews.reduce((one, other) => (Math.abs(other) < Math.abs(one) ? other : one))
  }

  /** The link, once it is of use. */
  async function linked({ timeoutMs }: LockCall): Promise<PmsLink> {
    const there = async () => line.use(async () => {}).catch(() => {})
    if (!active && !isClosed) await atMost(clock, Math.min(timeoutMs, linkMs), there())
    if (active && !isClosed) return active
    const why = isClosed ? 'is closed' : (line.lastFault?.message ?? 'is not connected')
    throw new DeviceFault('lock-system-unreachable', `${name}: ${why}`)
  }

  /** One at a time at each encoder: an answer names the encoder and the workstation, and nothing else for certain. */
  function inTurn(encoder: string | null): ReturnType<typeof oneAtATime> {
    const at = encoder ?? ''
    const queue = queues.get(at) ?? oneAtATime(mostAtEncoder, 'lock-system-busy')
    queues.set(at, queue)
    return queue
  }

  async function ask(
    id: string,
    fields: Fields,
    call: LockCall,
    expectFit: (link: PmsLink) => void = () => {},
  ): Promise<FiasRecord> {
    const left = deadline(clock, call.timeoutMs)
    return inTurn(fields.KC ?? null)(async () => {
      if (call.signal.aborted || left.left() <= 0)
        throw new DeviceFault('lock-system-busy', `${name}: its turn came too late`)
      const link = await linked(call)
      expectTaken(link, id, fields)
      expectFit(link)
      const marks = marksOf(link, id, fields)
      if (answers.wouldBeMistaken(marks))
        throw new DeviceFault(
          'lock-system-busy',
          `${name}: the encoder owes the answer to an earlier request`,
        )
      const awaited = answers.await(marks, Math.max(1, left.left()), call.signal)
      const sending = sent(link, id, fields, awaited.forget)
      sending.catch(() => {})
      // Who has answered has had the request, whatever became of its acknowledgement.
      const answer = await Promise.race([awaited.answer, sending.then(() => awaited.answer)])
      if (answer !== 'late' && answer !== 'gone') return answer
      if (answer === 'gone') await sending
      const why =
        answer === 'late' ? `no answer in ${call.timeoutMs} ms` : 'the line was lost before the answer'
      throw new DeviceFault('lock-system-timeout', `${name}: ${why}`)
    })
  }

  function expectTaken(link: PmsLink, id: string, fields: Fields): void {
    if (!link.wanted.has(id))
      throw new DeviceFault('unsupported-operation', `${name}: the lock system takes no ${id}`)
    const lacking = missing(link.wanted, id, fields)
    // Options that are all off or blank are what a key has without them.
    if (fields.KO?.includes('1') && !link.wanted.get(id)?.has('KO')) lacking.push('KO')
    if (lacking.length > 0) {
      const detail = `${name}: the lock system does not take ${lacking.join(', ')} in ${id}`
      throw new DeviceFault('unsupported-operation', detail)
    }
  }

  /** What of a request its answer can be known by: what was sent, and a reservation's number if answers carry it. */
  function marksOf(link: PmsLink, id: string, fields: Fields): Marks {
    const names = link.wanted.get(id)
    const sentValue = (field: string) => (names?.has(field) ? (fields[field] ?? null) : null)
    const answered = link.wanted.get('KA')?.has('G#') ?? false
    return {
      KC: sentValue('KC'),
      WS: names?.has('WS') ? workstation : null,
      'G#': answered ? sentValue('G#') : null,
    }
  }

  async function sent(link: PmsLink, id: string, fields: Fields, forget: () => void): Promise<void> {
    try {
      await link.send(id, { ...fields, WS: workstation, ...stamp(wallTime(now())) })
    } catch (error) {
      const mayHaveArrived = error instanceof NotSent && error.mayHaveArrived
      const code = mayHaveArrived ? 'lock-system-timeout' : 'lock-system-unreachable'
      if (!mayHaveArrived) forget()
      throw new DeviceFault(code, `${name}: ${(error as Error).message}`, { cause: error })
    }
  }

  function expectPossible(grant: OnlineGrant): void {
    const problem = grantProblem(grant, options)
    if (problem) throw new DeviceFault('unsupported-operation', `${name}: ${problem}`)
  }

  const takes = (id: string) => wanted?.has(id) ?? false

  return {
    traits: () => traitsOf(wanted),
    authorizations: [...options.keys()].sort(),
    get revokes() {
      return revokesOf(wanted)
    },
    revocationReaches: setup.connection.onlineLocks === true ? 'locks' : 'system',
    lockCodeProblem,
    grantProblem: (grant) => grantProblem(grant, options),

    async create(grant, call) {
      expectPossible(grant)
      const answer = await ask('KR', keyRequest(grant, options, setup), call)
      expectDone(answer, name)
      return { reference: null, uid: uidOf(answer) }
    },

    async revoke({ grant }, call) {
      const taken = revokesOf(wanted)
      const expectSame = (link: PmsLink) => {
        if (taken === 'unit' || revokesOf(link.wanted) === taken) return
        throw new DeviceFault(
          'lock-system-busy',
          `${name}: it has just said that it takes all keys of a room`,
        )
      }
      expectDone(await ask('KD', deleteRequest(grant), call, expectSame), name, goneToo)
    },

    owes(encoder) {
      const names = active?.wanted.get('KR')
      const WS = names?.has('WS') ? workstation : null
      return answers.wouldBeMistaken({ KC: encoder, WS, 'G#': null })
    },

    get change() {
      return takes('KM') ? change : undefined
    },

    get read() {
      return takes('KZ') ? read : undefined
    },

    async clockSkew(call) {
      await linked(call)
      return skewMs
    },

    state() {
      const isDescribed = active !== null || line.state() !== 'online'
      return {
        line: isDescribed ? line.state() : 'starting',
        since: line.since,
        fault: line.lastFault,
        refusals: source.refusals(),
      }
    },

    async close() {
      isClosed = true
      active?.close()
      answers.lost()
      await Promise.all([line.close(), source.close()])
    },
  }

  async function change(...[held, to, call]: Parameters<NonNullable<OnlineLockSystem['change']>>) {
    expectPossible(to)
    const { grant: from } = held
    if (String(from.authorizations) !== String(to.authorizations))
      throw new DeviceFault('unsupported-operation', `${name}: options are changed with a new card only`)
    expectDone(await ask('KM', changeRequest(from, to, setup), call), name)
    return { reference: null, uid: held.uid }
  }

  async function read(...[encoder, call]: Parameters<NonNullable<OnlineLockSystem['read']>>) {
    const answer = await ask('KZ', { KC: encoder }, call)
    expectDone(answer, name)
    return readKey(answer, setup)
  }
}
