// Package scaletest runs .scale scripts: decisions written down so that
// anyone can read them, and a machine can check them.
//
// A script states a policy, a workload and a load, and then what must happen:
//
//	policy
//	  replicas: {min: 4, max: 9}
//	  metrics:
//	  - type: External
//	    external:
//	      metric: {name: request_duration}
//	      watermarks: {type: Value, low: 150m, high: 400m}
//
//	workload 4 replicas
//
//	load every 30s
//	  request_duration  300m 900m*2
//
//	eval every 30s
//	  0s   stay 4   WithinWatermarks
//	  30s  4 -> 8   AboveHighWatermark, limited by VelocityUp
//	  60s  8 -> 9   AboveHighWatermark, limited by MaxReplicas
//
// Run takes any Engine, so a script can check another implementation as well as
// ours, and Suite lends it the scripts that are our own specification. The
// pods, the metrics and the passing of time are the script's; an engine is given
// what a workload's observer would see, and says what it wants.
// docs/scripts.md is the language's reference.
package scaletest
