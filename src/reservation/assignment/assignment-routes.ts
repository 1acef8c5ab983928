import { type Description, exactly } from '../../jsonapi/description.ts'
import { documentAnswer } from '../../jsonapi/document-answers.ts'
import { parametersIn } from '../../jsonapi/envelope.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { validate } from '../../jsonapi/schemas/validate.ts'
import { text } from '../../jsonapi/schemas/words.ts'
import { etag, writeOptions } from '../../jsonapi/write-options.ts'
import { exampleId } from '../../resource/example-id.ts'
import { Problem, type ProblemCode } from '../../resource/problem.ts'
import { reservation } from '../resources/reservation.ts'
import { stay } from '../resources/stay.ts'
import { staysIn } from '../stays/find-stays.ts'
import { expectGuest, ofGuest } from '../stays/rules/expect-guest.ts'
import { isLive } from '../stays/rules/status-rules.ts'
import { rightsOf } from '../stays/stay-routes.ts'
import { closedObject, withoutNulls } from '../values/value-schema.ts'
import type { Assignment, AssignmentCommands } from './assignment-commands.ts'
import type { AssignmentHints, WithPicks } from './unit-picker.ts'

const route = routesAt('/api/v2')
const scope = 'stays.checkin'
const one = 'reservations/:reservationId'

/**
 * The routes that assign units to stays, by the built-in rules or by the integration that picks units for the
 * reservation.
 */
export function assignmentRoutes(
  { reader, writer }: Store,
  { assignStay, assignReservation, shareUnits }: AssignmentCommands,
  withPicks: WithPicks,
): Route[] {
  async function assignOne(request: Request): Promise<Answer> {
    const { reservationId = '', stayId = '' } = request.params
    const hints = await readHints(request, hintsSchema)
    const options = writeOptions(request)
    const atKiosk = !rightsOf(request).write
    const wanted = { reservationId, stayId, hints: { [stayId.toLowerCase()]: hints } }
    const assignment = await withPicks(wanted, options, (picks) =>
      writer.execute(assignStay, { reservationId, stayId, picks, atKiosk, ...hints }, options),
    )
    const [refused] = assignment.unassigned
    if (refused) throw new Problem(refused.code as ProblemCode, refused.detail, { meta: refused.meta })
    return answer(assignment)
  }

  async function assignMany(request: Request): Promise<Answer> {
    const { reservationId = '' } = request.params
    for (const { id, status } of staysIn(reader, reservationId.toLowerCase()))
      if (isLive(status)) expectGuest(request.caller, id)
    const { stays = [] } = (await readHints(request, manyHintsSchema)) as { stays?: StayHints[] }
    const hints = Object.fromEntries(stays.map((each) => [each.stayId.toLowerCase(), withoutNulls(each)]))
    const options = writeOptions(request)
    const atKiosk = !rightsOf(request).write
    const assignment = await withPicks({ reservationId, stayId: null, hints }, options, (picks) =>
      writer.execute(assignReservation, { reservationId, hints, picks, atKiosk }, options),
    )
    return answer(assignment)
  }

  async function share(request: Request): Promise<Answer> {
    const parameters = parametersIn(await request.body())
    await validate(shareSchema, parameters)
    const { withStayId, unitId } = parameters as { withStayId: string; unitId?: string }
    const named = { withStayId, unitId: unitId?.toLowerCase() }
    const input = { stayId: request.params.stayId ?? '', ...named, rights: rightsOf(request) }
    return documentAnswer(await writer.execute(shareUnits, input, writeOptions(request)))
  }

  return [
    ofGuest(route('POST', `${one}/stays/:stayId/unit-assignment`, scope, says.one, assignOne)),
    route('POST', `${one}/unit-assignments`, scope, says.many, assignMany),
    route('POST', 'stays/:stayId/actions/share', 'reservations.write', says.share, share),
  ]
}

type StayHints = AssignmentHints & { stayId: string }

const stayId = { type: 'string', format: 'uuid' }
const hints = {
  preferredUnitId: { type: 'string', format: 'uuid' },
  notes: { type: 'string', maxLength: 2000 },
}
const hintsSchema = closedObject(hints)
const stayHintsSchema = closedObject({ ...hints, stayId }, ['stayId'])
const manyHintsSchema = closedObject({ stays: { type: 'array', maxItems: 100, items: stayHintsSchema } })

const shareSchema = closedObject({ withStayId: stayId, unitId: stayId }, ['withStayId'])

async function readHints(
  request: Request,
  schema: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const inside = parametersIn((await request.body()) ?? {})
  await validate(schema, inside)
  return withoutNulls(inside as Record<string, unknown>)
}

function answer({ document, assigned, unassigned }: Assignment): Answer {
  return {
    status: 200,
    text: `{"data":${document.text},"meta":${JSON.stringify({ assigned, unassigned })}}`,
    headers: { ETag: etag(document.revision) },
  }
}

const meta = exactly({
  assigned: { type: 'array', items: stayId, description: 'The stays that have units.' },
  unassigned: {
    type: 'array',
    items: exactly({ stayId, code: text, detail: text, meta: { type: 'object' } }),
    description: 'The stays without units, and the reasons.',
  },
})

const says = {
  one: {
    id: 'assignUnit',
    summary: 'Assign a unit to a stay',
    notes:
      'A stay that already has units is returned unchanged. For a kiosk, a unit in which another guest is still in house is replaced by a free and clean one, unless a key of it was made, or the answer is unit-occupied.',
    body: {
      optional: true,
      schema: hintsSchema,
      type: stay.type,
      example: { preferredUnitId: exampleId('unit'), notes: 'A quiet unit.' },
    },
    answers: { 200: { one: stay, meta } },
    problems: [
      'no-eligible-unit',
      'stay-status-transition',
      'unit-change-refused',
      'unit-occupied',
      'unknown-parameter',
    ],
    device: true,
  },
  share: {
    id: 'shareUnits',
    summary: 'Let a stay share a unit of another stay',
    notes: `Both stays get one \`shareId\`, and the unit of the other stay replaces that of this one; \`unitId\` names it where the
other has several. Stays that share may be in house in a unit together, and the first key of each opens it beside the others. A change
of \`shareId\` to null ends the sharing of a stay that has another unit by then.`,
    body: { schema: shareSchema, type: stay.type, example: { withStayId: exampleId('stay') } },
    answers: { 200: { one: stay } },
    problems: [
      'not-found',
      'reference-unknown',
      'stay-status-transition',
      'unit-change-refused',
      'unit-occupied',
      'unit-blocked',
    ],
  },
  many: {
    id: 'assignUnits',
    summary: 'Assign units to the stays of a reservation that have none',
    body: {
      optional: true,
      schema: manyHintsSchema,
      type: reservation.type,
      example: { stays: [{ stayId: exampleId('stay'), preferredUnitId: exampleId('unit') }] },
    },
    answers: { 200: { one: reservation, meta } },
    problems: ['unknown-parameter', 'kiosk-scope'],
    device: true,
  },
} satisfies Record<string, Description>
