import { randomUUID } from 'node:crypto'
import { type SimulatedMews, simulatedAges } from '../simulated-property.ts'
import { type Body, idsIn, known, listed, type Operation, paged, Refused, within } from './operation.ts'

/** Rooms, categories, payments and the commands for devices. */
export function propertyOperations(mews: SimulatedMews): Record<string, Operation> {
  const rooms = () => [...mews.rooms]

  return {
    'resources/getAll': () =>
      listed('Resources', rooms(), ([Name, { id: Id, state: State = 'Inspected', updatedUtc }]) => {
        return { Id, Name, State, UpdatedUtc: updatedUtc ?? new Date(0).toISOString() }
      }),
    'resources/update'({ ResourceUpdates }) {
      for (const { ResourceId, State } of ResourceUpdates as Body[]) {
        const [name] = rooms().find(([, { id }]) => id === ResourceId) ?? []
        if (name === undefined) throw new Refused(400, 'Invalid ResourceId.')
        const { Value } = State as { Value: string }
        if (Value === 'OutOfOrder') throw new Refused(403, 'A space is put out of order by a block.')
        mews.clean(name, Value)
      }
      return {}
    },
    'resourceCategories/getAll': () =>
      listed('ResourceCategories', mews.categories, ([code, Id]) => ({ Id, ShortNames: { 'en-US': code } })),
    'resourceCategoryAssignments/getAll': () =>
      listed('ResourceCategoryAssignments', rooms(), ([, { id: ResourceId, category }]) => {
        return { ResourceId, CategoryId: mews.categoryId(category) }
      }),
    'ageCategories/getAll': () =>
      listed('AgeCategories', [
        { Id: simulatedAges.adult, Classification: 'Adult' },
        { Id: simulatedAges.child, Classification: 'Child' },
      ]),
    'payments/getAll': (body) =>
      paged(
        'Payments',
        mews.payments.filter(({ CreatedUtc }) => within(body.CreatedUtc, CreatedUtc)),
        body,
        ({ CreatedUtc }) => CreatedUtc,
      ),
    'payments/addExternal'({ AccountId, Amount, Type, ReservationId, ExternalIdentifier = null }) {
      if (!mews.paymentTypes.includes(String(Type))) {
        throw new Refused(403, `The payment type ${Type} is not enabled.`)
      }
      const { Id } = known(mews.reservations, ReservationId)
      const amount = Amount as { Currency: string; GrossValue: number }
      const payment = {
        Id: randomUUID(),
        AccountId: String(AccountId),
        ReservationId: Id,
        Amount: amount,
        CreatedUtc: new Date(mews.now()).toISOString(),
        Data: {
          Discriminator: 'External',
          External: { Type: String(Type), ExternalIdentifier: ExternalIdentifier as string | null },
        },
      }
      mews.payments.push(payment)
      mews.owing.set(Id, (mews.owing.get(Id) ?? 0) - amount.GrossValue)
      return { ExternalPaymentId: payment.Id }
    },
    'commands/getAllActive': () => ({
      Commands: mews.commands.filter(({ State }) => ['Pending', 'Received'].includes(State)),
    }),
    'commands/getAllByIds': (body) => ({
      Commands: mews.commands.filter(({ Id }) => idsIn(body, 'CommandIds')?.includes(Id)),
    }),
    'commands/update'({ CommandId, State, Notes }) {
      const command = mews.commands.find(({ Id }) => Id === CommandId)
      if (!command) throw new Refused(400, 'Invalid CommandId.')
      if (['Processed', 'Cancelled', 'Error'].includes(command.State)) {
        throw new Refused(403, `The command is ${command.State}.`)
      }
      Object.assign(command, { State, ...(Notes !== undefined && { Notes }) })
      return {}
    },
  }
}
