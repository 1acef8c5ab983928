import type { ActivityTexts } from '../texts.ts'

export const es: ActivityTexts = {
  title: 'Actividad',
  time: 'Hora',
  who: 'Quién',
  what: 'Qué pasó',
  about: 'Huésped, habitación',
  person: 'Persona',
  everybody: 'Todos',
  allRooms: 'Todas las habitaciones',
  day: 'Día',
  newer: 'Más reciente',
  older: 'Más antiguo',
  none: 'Aquí no hay nada.',
  roomStatus: 'Estado de la habitación',
  blocked: (dates) => `Bloqueada: ${dates}`,
  unblocked: (dates) => `Bloqueo terminado: ${dates}`,
  box: 'La caja',
  bounded: 'De una habitación se buscan las estancias más recientes con sus llaves y pagos.',
}
