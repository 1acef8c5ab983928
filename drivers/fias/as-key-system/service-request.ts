import type { ServiceAnswer, ServiceRequest } from '../../../src/devices/key-service.ts'
import { separator } from '../key-records.ts'
import { dateField, minuteField, readDate, readTime } from '../moments.ts'
import { rowOf } from '../protocol.ts'
import type { FiasRecord } from '../record.ts'

const keys: Partial<Record<string, ServiceRequest['key']>> = { N: 'original', D: 'copy', O: 'one-shot' }

/** The request of a record. A record that cannot be understood gives a sentence for the clerk. */
export function serviceRequest(
  { id, fields }: FiasRecord,
  options: ReadonlyMap<string, number>,
): ServiceRequest | string {
  const { KC, KT, RN, SI = '', 'G#': reservation, GA, GD, DT, KO = '' } = fields
  const kind = rowOf(id)?.asks
  if (!kind) return `${id} is not supported`
  const key = keys[KT?.trim() ?? '']
  if (kind === 'create' && !key) return 'No key type N, D or O'
  if (kind !== 'read' && !RN?.trim()) return 'No room'
  const [from, until] = [readDate(GA), readDate(GD)]
  if (GA && !from) return 'The arrival is not a date'
  if ((GD && !until) || (!until && kind === 'create' && key !== 'one-shot'))
    return 'The departure is not a date'
  const time = readTime(DT)
  if (DT && !time) return 'The departure time is not a time'
  const named = (letter: (at: string) => boolean) =>
    [...options].filter(([, position]) => letter(KO[position - 1] ?? ' ')).map(([name]) => name)
  return {
    kind,
    encoder: KC?.trim() ?? '',
    unit: RN?.trim() ?? null,
    extraUnits: SI.split(separator)
      .map((room) => room.trim())
      .filter((room) => room !== ''),
    key: key ?? 'original',
    reservation: reservation?.trim() ?? null,
    from,
    until,
    untilTime: time?.slice(0, 5) ?? null,
    on: named((at) => at !== ' ' && at !== '0'),
    off: named((at) => at === '0'),
  }
}

const statuses = { done: 'OK', busy: 'BY', refused: 'UR' } as const

/** The fields of KA that answer a record, or of KZ for a card that was read. */
export function serviceFields(request: FiasRecord, answer: ServiceAnswer): Record<string, string | null> {
  const { KC, WS, 'G#': reservation, $2 } = request.fields
  const marks = { AS: statuses[answer.outcome], KC: KC ?? null, WS: WS ?? null, CT: answer.text }
  if (answer.outcome !== 'done') return { ...marks, 'G#': reservation ?? null }
  const { uid, found } = answer
  return {
    ...marks,
    'G#': found?.reservation ?? reservation ?? null,
    // The serial number is sent only when the request did not contain it.
    $2: $2 ? null : uid,
    ...(found && {
      RN: found.unit,
      GD: found.until && dateField(found.until),
      DT: found.until && minuteField(found.until),
    }),
  }
}
