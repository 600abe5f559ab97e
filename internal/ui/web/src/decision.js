export function decision(main) { main.append("decision"); }
