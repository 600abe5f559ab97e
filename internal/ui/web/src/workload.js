export function workload(main) { main.append("workload"); }
