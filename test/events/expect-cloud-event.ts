import type { CloudEvent } from '../../src/events/cloud-event.ts'

const typeForm = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/
const sourceForm = /^urn:property:[\w.~-]+$/
const subjectForm = /^[\w.~-]+(\/[\w.~-]+)*$/
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const schemaForm = /^urn:[a-z0-9-]+(:[\w.~-]+)+$/
const sequenceForm = /^\d{20}$/

/** Throws a RangeError that names the first attribute that CloudEvents or this program does not allow. */
export function expectCloudEvent(event: CloudEvent): void {
  const holds: Record<keyof CloudEvent, boolean> = {
    specversion: event.specversion === '1.0',
    id: typeof event.id === 'string' && event.id !== '',
    source: sourceForm.test(event.source),
    type: typeForm.test(event.type),
    subject: subjectForm.test(event.subject),
    time: timeForm.test(event.time),
    datacontenttype: event.datacontenttype === 'application/json',
    dataschema: event.dataschema === undefined || schemaForm.test(event.dataschema),
    sequence: event.sequence === undefined || sequenceForm.test(event.sequence),
    data: typeof event.data === 'object' && event.data !== null,
  }
  const wrong = Object.entries(holds).find(([, isSo]) => !isSo)
  if (wrong)
    throw new RangeError(
      `${wrong[0]} of a CloudEvent cannot be ${JSON.stringify(event[wrong[0] as keyof CloudEvent])}`,
    )
}
