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
