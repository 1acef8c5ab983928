import type { JudgedClock } from '../host/judged-clock.ts'
import { localInstant } from '../host/zone.ts'
import { type Description, documentOf, exactly } from '../jsonapi/description.ts'
import { expectNoParameters } from '../jsonapi/query/query.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../jsonapi/route.ts'
import { bodyOf } from '../jsonapi/schemas/validate.ts'
import { moment } from '../jsonapi/schemas/words.ts'
import { writeOptions } from '../jsonapi/write-options.ts'
import { zoneOf } from '../reservation/resources/house.ts'
import { invalidValue, Problem } from '../resource/problem.ts'
import { noteStated } from './clock-commands.ts'

const route = routesAt('/api/config/v1')
/**
 * The scope that stating another time than the appliance shows needs in addition to `clock.state`: it is a task of those
 * who configure the box. The front desk can confirm the time that it shows.
 */
const besides = 'config.write'
/** A stated time that differs from that of the appliance by less confirms it. */
const confirmsMs = 5 * 60_000
/** The latest accepted time is this long after the build. */
const longestLifeMs = 20 * 365 * 86_400_000

/** Returns the routes to read the clock, and to state date and time when no time server can. */
export function clockRoutes(
  { reader, writer }: Pick<Store, 'reader' | 'writer'>,
  clock: JudgedClock,
): Route[] {
  /**
   * States the time for the appliance. The machine's clock stays unchanged: other programs use it, and
   * setting it needs rights that the daemon does not have.
   */
  async function state(request: Request): Promise<Answer> {
    const options = writeOptions(request)
    const time = await timeIn(request, zoneOf(reader), clock)
    const { machine, floor, stated } = clock.judged()
    const confirms = clock.isPlausible() && Math.abs(time - clock.now()) < confirmsMs
    if (!confirms && !request.caller.may(besides))
      throw new Problem(
        'scope-required',
        `The token lacks the scope ${besides}, which stating another time than the appliance shows also needs. Use the token of an installer or administrator.`,
        {
          meta: { scope: besides },
        },
      )
    const confirmed = confirms && !stated ? clock.machineStart() : null
    await writer.execute(noteStated, { time, machine, floor, confirmed }, options)
    if (options.dryRun || options.idempotency?.answered) return document()
    if (confirms) clock.confirm()
    else clock.state(time)
    return document()
  }

  function document(): Answer {
    const { judgement, machine, floor, stated, confirmed } = clock.judged()
    const attributes = {
      time: text(clock.now()),
      timeZone: zoneOf(reader),
      judgement,
      stated,
      confirmed,
      machineTime: text(machine),
      knownTime: text(floor),
      builtAt: text(clock.builtAt),
    }
    return { status: 200, text: JSON.stringify({ data: { type: 'clock', id: 'clock', attributes } }) }
  }

  return [
    route('GET', 'clock', 'diagnostics.read', says.read, ({ query }) => {
      expectNoParameters(query)
      return document()
    }),
    route('POST', 'clock/actions/state', 'clock.state', says.state, state),
  ]
}

/**
 * Reads the stated time. A time that a clock change repeats is the one nearer to that of the appliance. Throws
 * validation-failed for an impossible one.
 */
async function timeIn(
  request: Request,
  zone: string,
  { builtAt, now }: Pick<JudgedClock, 'builtAt' | 'now'>,
): Promise<number> {
  const { date, time } = await bodyOf<{ date: string; time: string }>(request, bodySchema)
  const [first, second] = [localInstant(date, time, zone, 'start'), localInstant(date, time, zone, 'end')]
  const instant = Math.abs(second - now()) < Math.abs(first - now()) ? second : first
  if (instant >= builtAt - 60_000 && instant <= builtAt + longestLifeMs) return instant
  throw invalidValue(
    '/date',
    `The stated time is earlier than the build of this program (${text(builtAt)}), or more than 20 years later. State the current date and time.`,
    { earliest: text(builtAt), latest: text(builtAt + longestLifeMs) },
  )
}

function text(instant: number): string {
  return new Date(instant).toISOString()
}

const bodySchema = {
  type: 'object',
  properties: {
    date: { type: 'string', format: 'date' },
    time: {
      type: 'string',
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      $comment: 'a time (HH:MM)',
      description: 'Local time of the property.',
    },
  },
  required: ['date', 'time'],
  additionalProperties: false,
}

const confirmedSchema = {
  type: 'boolean',
  description:
    'False when the clock may show a wrong day although it is plausible: since the box was started, or its clock was set, no time server, no battery-backed clock and no person has confirmed it. Keys are made; show the date to the people who can see that it is wrong.',
} as const

const attributes = exactly({
  time: { ...moment, description: 'The time that the appliance uses.' },
  timeZone: { type: 'string' },
  judgement: {
    enum: ['plausible', 'behind', 'ahead'],
    description:
      '`behind`: the clock of the box shows a time earlier than one that it has shown before. `ahead`: it is more than 45 days ahead of the last known time, and no time server confirms it. In both cases no key is made and nothing is deleted because of its age.',
  },
  stated: { type: 'boolean', description: 'Whether a person has stated date and time since the last start.' },
  confirmed: confirmedSchema,
  machineTime: { ...moment, description: 'The time that the clock of the box shows.' },
  knownTime: {
    ...moment,
    description: 'The latest time that is known to have passed. The current time cannot be earlier.',
  },
  builtAt: moment,
})

const says = {
  read: {
    id: 'readClock',
    summary: 'Read the clock and whether it is plausible',
    answers: { 200: { schema: documentOf('clock', attributes) } },
    problems: ['unknown-parameter'],
  },
  state: {
    id: 'stateTime',
    summary: 'State or confirm date and time',
    notes: `A time within 5 minutes of the one that the appliance shows confirms it (\`confirmed\`). Another time is for a box whose clock is wrong and that reaches no time server. The appliance uses this time until a time server
answers, or until the next start. The clock of the machine is not changed. Another time needs the scope config.write in addition.`,
    body: { schema: bodySchema, example: { date: '2027-04-01', time: '09:30' } },
    answers: { 200: { schema: documentOf('clock', attributes) } },
  },
} satisfies Record<string, Description>
