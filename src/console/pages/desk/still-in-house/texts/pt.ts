import type { StillInHouseTexts } from '../texts.ts'

export const pt: StillInHouseTexts = {
  inHouse: (name, room, since, until) => `${name} está no quarto ${room} desde ${since}, saída em ${until}.`,
  guest: 'Um hóspede',
  checkOut: (name) => `Fazer a saída de ${name}`,
  hasLeft: (name, room) => `${name} já deixou o quarto ${room}? Os cartões desta estadia terminam.`,
  yesCheckOut: (name) => `Sim, fazer a saída de ${name}`,
  otherRoom: 'Atribuir outro quarto limpo',
}
