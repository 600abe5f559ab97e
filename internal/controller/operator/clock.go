package operator

import "k8s.io/utils/clock"

// wallClock is the clock that everything is decided by. Only a program that is
// built for the fault campaign has another one, which can be set wrong.
var wallClock clock.PassiveClock = clock.RealClock{}
