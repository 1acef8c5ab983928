/** What happened, or what is asked, in the words of CloudEvents 1.0. */
export interface CloudEvent<Data extends object = object> {
  readonly specversion: '1.0'
  /** Unique within its source: the same id is the same event. */
  readonly id: string
  /** `urn:property:` and the property's id. */
  readonly source: string
  /** Lower-case words with dots between them. */
  readonly type: string
  /** What it is about, as a path: `pms/{id}`. */
  readonly subject: string
  /** When, in UTC with milliseconds. */
  readonly time: string
  readonly datacontenttype: 'application/json'
  /** What `data` is like. */
  readonly dataschema?: string
  /** Twenty digits, higher than those of every event before it; absent where nothing was written down. */
  readonly sequence?: string
  readonly data: Data
}

const typeForm = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/
const sourceForm = /^urn:property:[\w.~-]+$/
const subjectForm = /^[\w.~-]+(\/[\w.~-]+)*$/
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const schemaForm = /^urn:[a-z0-9-]+(:[\w.~-]+)+$/
const sequenceForm = /^\d{20}$/

/** Throws a RangeError naming the attribute that is not as the specification and this house want it. */
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
