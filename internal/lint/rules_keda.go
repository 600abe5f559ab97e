package lint

var kedaRules = []Rule{
	{
		ID: "TM090", Name: "keda-idle-not-below-min", Severity: Error,
		Why: "The idle count is what runs while no trigger is active, so it has to be below the minimum. KEDA's webhook refuses the ScaledObject.",
		Fix: "Set idleReplicaCount to 0 and minReplicaCount to at least 1, or remove idleReplicaCount.",
		Check: ofKEDA(func(s *Scaler, k *kedaFacts, found *Report) {
			if k.idle != nil && *k.idle >= s.least() {
				found.Add(s.Object, k.idleAt, "is %d, which is not below the minimum of %d", *k.idle, s.least())
			}
		}),
	},
	{
		ID: "TM091", Name: "keda-cooldown-unused", Severity: Warning,
		Why: "cooldownPeriod is only for the step to zero. This ScaledObject never takes it, and between its bounds the HPA's own window of 300 seconds counts.",
		Fix: "Use advanced.horizontalPodAutoscalerConfig.behavior.scaleDown.stabilizationWindowSeconds, and remove cooldownPeriod.",
		Check: ofKEDA(func(s *Scaler, k *kedaFacts, found *Report) {
			if k.cooldown != nil && s.least() >= 1 && k.idle == nil {
				found.Add(s.Object, k.cooldownAt, "has no effect: the minimum is %d, so there is no step to zero", s.least())
			}
		}),
	},
	{
		ID: "TM092", Name: "keda-slow-wakeup", Severity: Warning,
		Why: "At zero pods, the triggers are looked at once a pollingInterval. Work that arrives waits that long before the first pod is even started.",
		Fix: "Use an interval well below the wait you can accept; 30 seconds is the default.",
		Check: ofKEDA(func(s *Scaler, k *kedaFacts, found *Report) {
			if k.polling != nil && *k.polling >= slowWakeup && (s.least() == 0 || k.idle != nil) {
				found.Add(s.Object, k.pollAt, "is %d: a workload at zero wakes up that many seconds late", *k.polling)
			}
		}),
	},
	{
		ID: "TM093", Name: "keda-no-triggers", Severity: Error,
		Why: "Without a trigger there is nothing to scale by, and KEDA reports an error and makes no HPA.",
		Fix: "Add a trigger.",
		Check: ofKEDA(func(s *Scaler, k *kedaFacts, found *Report) {
			if k.triggers == 0 && s.Target.Name != "" {
				found.Add(s.Object, k.triggersAt, "is empty")
			}
		}),
	},
	{
		ID: "TM094", Name: "keda-fallback-on-resources", Severity: Warning,
		Why: "KEDA's fallback is for triggers that it measures itself. CPU and memory are measured by the HPA, so this fallback never happens.",
		Fix: "Remove the fallback, or add a trigger that KEDA measures.",
		Check: ofKEDA(func(s *Scaler, k *kedaFacts, found *Report) {
			if k.fallback && k.triggers > 0 && !k.wakes {
				found.Add(s.Object, k.fallbackAt, "has no effect: every trigger is on cpu or memory")
			}
		}),
	},
	{
		ID: "TM095", Name: "keda-unknown-trigger", Severity: Error,
		Why:   "KEDA has no trigger of this type, so it refuses the whole ScaledObject, and nothing scales the workload.",
		Fix:   "Write the type as KEDA's documentation does. What KEDA does not know itself goes through external or metrics-api.",
		Check: ofTriggers(checkTriggerType),
	},
	{
		ID: "TM096", Name: "keda-trigger-incomplete", Severity: Error,
		Why:   "The trigger lacks what KEDA needs to ask for a value, such as the query or the address. KEDA refuses it, and the ScaledObject does not scale.",
		Fix:   "Add the field to the trigger's metadata.",
		Check: ofTriggers(checkTriggerFields),
	},
	{
		ID: "TM097", Name: "keda-threshold-zero", Severity: Error,
		Why:   "The threshold is what one pod is to handle. With 0 the HPA that KEDA makes has a target of 0, which the API server refuses.",
		Fix:   "Write how much one pod handles. When to wake from zero is another field, whose name starts with activation.",
		Check: ofTriggers(checkTriggerThreshold),
	},
	{
		ID: "TM098", Name: "keda-polling-unused", Severity: Warning,
		Why: "pollingInterval is how often KEDA looks whether to leave zero. This ScaledObject never goes there, and above it the HPA asks every " +
			"15 seconds, whatever the interval.",
		Fix:   "Remove pollingInterval, or say useCachedMetrics: true on the triggers that are to be asked that seldom.",
		Check: ofKEDA(checkPolling),
	},
}

// slowWakeup is how many seconds of sleep are too many.
const slowWakeup = 300

// ofKEDA makes a check of a look at each ScaledObject.
func ofKEDA(look func(s *Scaler, k *kedaFacts, found *Report)) func(*World, *Report) {
	return ofScalers(func(_ *World, s *Scaler, found *Report) {
		if s.keda != nil {
			look(s, s.keda, found)
		}
	})
}
