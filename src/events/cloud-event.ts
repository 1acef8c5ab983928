/** An event or a request in the format of CloudEvents 1.0. */
export interface CloudEvent<Data extends object = object> {
  readonly specversion: '1.0'
  /** Unique within the source: events with the same id are the same event. */
  readonly id: string
  /** `urn:property:` and the property's id. */
  readonly source: string
  /** Lower-case words separated by dots. */
  readonly type: string
  /** The path of the event's resource: `pms/{id}`. */
  readonly subject: string
  /** UTC with milliseconds. */
  readonly time: string
  readonly datacontenttype: 'application/json'
  /** The schema of `data`. */
  readonly dataschema?: string
  /** Twenty digits, greater than those of every earlier event; absent for events outside the journal. */
  readonly sequence?: string
  readonly data: Data
}

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
