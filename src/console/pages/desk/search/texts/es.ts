import type { SearchTexts } from '../texts.ts'

export const es: SearchTexts = {
  search: 'Buscar nombre, número, habitación',
  what: 'Nombre, número, habitación',
  results: 'Resultados',
  kinds: {
    code: 'Del quiosco',
    number: 'Números',
    room: 'Habitaciones',
    guest: 'Huéspedes',
    nearName: 'Nombres parecidos',
  },
  hint: 'Basta una parte del nombre, sin acentos. También se encuentran las cuatro cifras del quiosco.',
  none: 'No hay ninguna estancia con este nombre, número o habitación.',
  partly: 'Una parte de la búsqueda no respondió.',
  walkIn: (text) => `Sin reserva: «${text}»`,
  readCard: (place) => `Leer la tarjeta en ${place}`,
  lay: (place) => `Ponga la tarjeta en ${place} …`,
  reading: 'Se está leyendo la tarjeta …',
  blank: 'La tarjeta está vacía.',
  unknownCard: 'La tarjeta no es de ninguna llave de esta casa.',
  noStay: (room) => `La tarjeta no es de ninguna estancia. Es para ${room}.`,
  noRoom: 'sin habitación',
  close: 'Cerrar la búsqueda',
}
