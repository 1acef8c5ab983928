import { differences, same } from './same.ts'
import type { SharedReservation } from './shared-reservation.ts'

/**
 * What the house says otherwise than the PMS is known to have, as JSON pointers into `value`; the whole (an empty pointer)
 * where it is known to have nothing. A stay or a guest that is gone is told by its list. Payments are told by the house alone.
 */
export function changedPointers(base: SharedReservation | null, value: SharedReservation): string[] {
  if (!base) return ['']
  const told = { ...base, payments: base.payments ?? [] }
  const found = differences(told, { ...value, payments: value.payments ?? [] })
  const isPaid = same(told.payments, value.payments)
  const pointers = found.map(({ pointer }) => pointerInto(value, pointer))
  return [...new Set(isPaid ? pointers.filter((each) => each !== '/payments') : pointers)]
}

/** `/stays/<localId>/guests/<localId>/title` by the places in the lists. */
function pointerInto(value: SharedReservation, byIds: string): string {
  const [, ...names] = byIds.split('/')
  const steps: string[] = []
  let list: { localId?: string | null; guests?: { localId?: string | null }[] }[] | undefined
  for (const name of names) {
    if (list) {
      const index: number = list.findIndex(({ localId }) => localId === name)
      if (index < 0) break
      steps.push(String(index))
      list = undefined
      continue
    }
    steps.push(name)
    if (name === 'stays') list = value.stays
    else if (name === 'guests') list = value.stays[Number(steps[1])]?.guests
  }
  return `/${steps.join('/')}`
}
