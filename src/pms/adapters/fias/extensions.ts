import type { GuestLink } from '../../../devices/network/guest-link.ts'
import { validate } from '../../../jsonapi/schemas/validate.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { unitStatuses } from '../../../reservation/values/unit-status.ts'
import type { Reader } from '../../../resource/keeper.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Capabilities, ExtensionAnswer, ExtensionRequest } from '../../contract.ts'
import { roomStatusOf } from './fields.ts'
import type { GuestFeed } from './guest-feed.ts'

interface Parts {
  link: GuestLink
  feed: Pick<GuestFeed, 'swap' | 'state'>
  reader: Reader
  signal: AbortSignal
}

export const extensions: Capabilities['extensions'] = [
  {
    name: 'link',
    methods: ['GET'],
    description: 'The state of the line, and the number of guests that the PMS has in house.',
  },
  {
    name: 'database-swap',
    methods: ['POST'],
    description: 'Requests all guests from the PMS again; answers when they have arrived.',
  },
  {
    name: 'room-status',
    methods: ['POST'],
    description:
      'Reports the housekeeping status of a unit to the PMS: unitName, and status Dirty, Clean or Inspected.',
  },
]

type Answer = (request: ExtensionRequest, parts: Parts) => Promise<unknown> | unknown

const answers: Record<string, Answer> = {
  'GET link': (_request, { link, feed }) => {
    const { line, since, fault } = link.state()
    const problem = line === 'online' ? null : (fault?.message ?? null)
    return { line, since: new Date(since).toISOString(), problem, ...feed.state() }
  },
  async 'POST database-swap'(_request, { feed, signal }) {
    await feed.swap(signal)
    return feed.state()
  },
  async 'POST room-status'({ body }, { link, reader }) {
    const given: unknown = JSON.parse(body || '{}')
    await validate(roomStatusSchema, given)
    const { unitName, status } = given as { unitName: string; status: string }
    const filters = [{ path: 'name', operator: 'eq', value: unitName } as const]
    const [found] = reader.rows(unit, { filters, sort: [], page: { size: 1 } })
    if (!found)
      throw new Problem('validation-failed', `There is no unit ${unitName}.`, { pointer: '/unitName' })
    const wrong = link.roomProblem(unitName)
    if (wrong) throw new Problem('validation-failed', wrong, { pointer: '/unitName' })
    await link.send('RE', { RN: unitName, RS: roomStatusOf(status, found.occupied === true) })
    // The protocol has no acknowledgement for this record.
    return { state: 'sent', unitName, status }
  },
}

const sendableStatuses = unitStatuses.filter((status) => roomStatusOf(status, false) !== null)

const roomStatusSchema = {
  type: 'object',
  properties: {
    unitName: { type: 'string', minLength: 1, maxLength: 60 },
    status: { enum: sendableStatuses },
  },
  required: ['unitName', 'status'],
  additionalProperties: false,
}

/** Answers a request about the line itself. */
export async function answerExtension(request: ExtensionRequest, parts: Parts): Promise<ExtensionAnswer> {
  const answer = answers[`${request.method} ${request.name}`]
  if (!answer) return { is: 'not-implemented' }
  return { is: 'answered', payload: await answer(request, parts) }
}
