import { bodyReader } from '../../jsonapi/body.ts'
import type { Description } from '../../jsonapi/description.ts'
import { listAnswer } from '../../jsonapi/document-answers.ts'
import { readQuery } from '../../jsonapi/query/query.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import { unit } from '../resources/unit.ts'
import { unitType } from '../resources/unit-type.ts'
import { narrowed } from '../stays/rules/narrowed.ts'
import { updateUnit } from './update-unit.ts'

const route = routesAt('/api/v2')

/** The routes that write units by the status table, and the list of the units of a type. */
export function unitRoutes(store: Store): Route[] {
  const { writer, reader, resources } = store
  const body = bodyReader(unit)

  const update = (whole: boolean) => async (request: Request) => {
    const { caller, params } = request
    const id = params.unitId ?? ''
    const kept = () => reader.row(unit, id)
    const input = {
      id,
      attributes: await (whole ? body.create : body.patch)(await request.body(), kept),
      whole,
      rights: { write: caller.may('units.write'), inspect: caller.may('units.inspect') },
      revision: expectedRevision(request),
    }
    return noContent((await writer.execute(updateUnit, input, writeOptions(request))).revision)
  }

  function listOfType(request: Request) {
    const unitTypeId = reader.idOf(unitType, request.params.unitTypeId ?? '')
    if (unitTypeId === null) throw new Problem('not-found', 'There is no such unit type.')
    const asked = readQuery(resources, unit, request.query)
    return listAnswer(store, unit, narrowed(asked, 'unitTypeId', unitTypeId), request)
  }

  return [
    route('PUT', 'units/:unitId', 'units.write', says.replace, update(true)),
    route('PATCH', 'units/:unitId', 'units.status', says.patch, update(false)),
    route('GET', 'unit-types/:unitTypeId/units', unit.scopes.read, says.listOfType, listOfType),
  ]
}

const plain = resourceDescriptions(unit)
const changes = {
  notes: `The status changes in the order of housekeeping. Inspected needs the scope units.inspect. \`outOfOrderUntil\` and
\`outOfOrderReason\` go with the status \`OutOfOrder\`, and are cleared with it. Other fields need the scope units.write. The entries of lock systems for the unit, and its keys, follow a new name; it is refused where a lock system has
another lock under that name.`,
  problems: ['unit-status-transition', 'unit-change-refused'],
} as const

const says = {
  replace: { ...plain.replace, ...changes },
  patch: { ...plain.patch, ...changes, body: { of: unit, partial: true, example: { status: 'Clean' } } },
  listOfType: {
    summary: 'List the units of a unit type',
    path: { unitTypeId: { schema: { type: 'string' }, notes: 'The id or the code.' } },
    answers: { 200: { list: unit } },
  },
} satisfies Record<string, Description>
