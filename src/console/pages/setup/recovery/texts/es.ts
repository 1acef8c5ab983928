import type { RecoveryTexts } from '../texts.ts'

export const es: RecoveryTexts = {
  title: 'Hoja de recuperación',
  none: 'No hay hoja de recuperación, por eso no se hace ninguna copia. Si se pierde la caja, se pierde todo lo que contiene. Haga la hoja ahora; son dos minutos.',
  otherKey:
    'Las copias están cifradas con una clave hecha en la línea de comandos. Una hoja de palabras es otra forma de abrirlas.',
  keptAt: (at) =>
    `La hoja de recuperación del ${at} abre cada copia desde entonces. Guárdela como la llave maestra.`,
  make: 'Hacer la hoja de recuperación',
  makeAnother: 'Hacer otra hoja',
  sheetOf: (hotel) => `Hoja de recuperación ${hotel}`.trim(),
  what: (at) =>
    `Hecha el ${at}. Quien tenga estas 24 palabras puede abrir todas las copias de este hotel. La caja no las tiene.`,
  how: 'Si se pierde la caja: abra la página de la caja nueva, elija «Restaurar una copia de seguridad» y escriba las palabras en este orden. Guarde una hoja en la caja fuerte y otra en otro edificio.',
  print: 'Imprimir',
  save: 'Guardar como archivo',
  next: 'La tengo en papel',
  onlyHere:
    'Las palabras solo se muestran aquí y nunca más. La hoja vale cuando haya escrito algunas de ellas.',
  typeBack: 'Lea estas palabras en el papel. Bastan las cuatro primeras letras.',
  word: (number) => `Palabra ${number}`,
  confirm: 'Esta hoja vale',
  showAgain: 'Mostrar otra vez las palabras',
}
