/** One line of the table. What is left out is shown as a dash. */
export interface Line {
  measure: string
  ours: string
  /** The same from a bare Koa route, or a bare node:http server, that answers a constant. */
  constant?: string
  /** The same work as one SQLite statement in process. */
  raw?: string
  ratio?: string
  aim?: string
  met?: boolean
}

export interface Setting {
  rounds: number
  /** Of one window of one server. */
  seconds: number
  /** Reservations in the house. */
  size: number
  /** Reservations in the great house, or null when it is left out. */
  greatSize: number | null
}

export interface Measure {
  name: string
  run(setting: Setting): Promise<Line[]>
}
