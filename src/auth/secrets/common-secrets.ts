/** The most common stolen passcodes that the pattern rules of `secret-rules.ts` do not find. */
export const commonPasscodes: ReadonlySet<string> = new Set(
  `159753 147258 147852 258369 258456 789456 456789 963852 741852 852456 159357 951753 753951 357159
  142536 123654 321654 456123 789123 123789 987456 654123 112358 314159 271828 131415 101112 102030 203040
  100200 200300 123450 012340 121314 111213 212223 010203 111222 222333 333444 444555 555666 666777 777888
  888999 123321 456654 789987 654456 100001 110110 101101 123455 112345 123444 135246 246135 696969 420420
  520520 520131 521521 007007 199000 200000 200100 202020 202324 202425 202526 198900 197700 171717`.split(
    /\s+/,
  ),
)

/**
 * Words of which long common passwords are made, in the languages of the pages. Longer words first are not needed: the
 * caller sorts them.
 */
export const commonWords: readonly string[] = `
  password passwort passwords passw0rd pass word contrasena contraseña clave motdepasse senha kennwort mot de passe
  qwertyuiop qwertzuiop azertyuiop qwerty qwertz azerty asdfghjkl asdfgh zxcvbnm yxcvbnm qazwsx wsxedc rfvtgb uiop
  abcdefghijklmnopqrstuvwxyz abcdefghijklmno abcdefghij abcdefg abcdef abcde abcd abc
  admin administrator administrador administrateur root user login default guest manager superuser master system server
  welcome willkommen bienvenido bienvenue bemvindo bem vindo hello hallo hola bonjour salut ola letmein let me in open sesame opensesame
  hotel hotels pension hostel inn resort motel reception rezeption recepcion recepción accueil recepcao receção frontdesk front desk
  kiosk lobby room rooms zimmer habitacion chambre quarto booking checkin checkout check key keycard keys schluessel schlüssel
  llave cle clé chave nightporter night porter installer installateur instalador
  iloveyou i love you ichliebedich ich liebe dich teamo te amo jetaime je t aime euteamo amor love liebe princess sunshine
  football fussball futbol soccer baseball monkey dragon shadow michael jordan superman batman starwars pokemon
  computer internet google facebook microsoft windows samsung apple secret geheim secreto secret segredo changeme change
  test testing tester demo example sample trustno trust access private security secure safe super
  january february march april may june july august september october november december
  januar februar märz maerz mai juni juli oktober dezember
  spring summer autumn winter fruehling frühling sommer herbst verano invierno été hiver verao verão
  monday tuesday wednesday thursday friday saturday sunday
  one two three four five six seven eight nine zero eins zwei drei vier the and for you and my mein meine mi ma
  correct horse battery staple`
  .split(/\s+/)
  .filter(Boolean)
