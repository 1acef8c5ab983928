import type { StillInHouseTexts } from '../texts.ts'

export const es: StillInHouseTexts = {
  inHouse: (name, room, since, until) =>
    `${name} está en la habitación ${room} desde el ${since}, salida el ${until}.`,
  guest: 'Un huésped',
  checkOut: (name) => `Hacer la salida de ${name}`,
  hasLeft: (name, room) =>
    `¿Ha dejado ${name} la habitación ${room}? Las tarjetas de esta estancia dejan de valer.`,
  yesCheckOut: (name) => `Sí, hacer la salida de ${name}`,
  otherRoom: 'Asignar otra habitación limpia',
}
