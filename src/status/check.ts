/** The status of a check, in the words of the health-check draft. */
export type Health = 'pass' | 'warn' | 'fail'

/** One check, in the format of the health-check draft. */
export interface Check {
  componentId?: string
  componentType: 'component' | 'datastore' | 'system'
  observedValue: string | number | boolean | null
  observedUnit?: string
  status: Health
  time: string
  /** What a person should do; null when the check passes. */
  output: string | null
}

/** What a check found; its time is that of the status. */
export type Found = Omit<Check, 'time'>
