package checker

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// webhookLimit is how long the API server waits for the webhook, and atOnce is less
// than that by more than what a pod takes without it.
const (
	webhookLimit = 3 * time.Second
	atOnce       = 2 * time.Second
)

// judgePods: a pod is made within the webhook's time limit, with the size of its
// template, and the API server says so. Where the webhook has no say, nobody waits.
func (c *Checker) judgePods() {
	for i := range c.webhooks {
		w := &c.webhooks[i]
		for _, one := range w.is.Pods {
			c.judgePod(w, &one, webhookLimit)
			if one.Error == "" && one.Got != one.Template {
				c.violated(Pods, "", w.at, "the webhook %s, and a pod has %s of cpu in place of the %s of its template", w.is.Does, one.Got, one.Template)
			}
		}
		for _, one := range w.is.Elsewhere {
			c.judgePod(w, &one, 0)
		}
		// One may be slow by chance, but not all of them.
		if !someWithin(w.is.Pods, webhookLimit+atOnce) {
			c.violated(Pods, "", w.at, "the webhook %s, and every pod waits for it for longer than %s", w.is.Does, webhookLimit)
		}
		if !someWithin(w.is.Elsewhere, atOnce) {
			c.violated(Pods, "", w.at, "the webhook %s, and every pod of a namespace in which it has no say waits for it", w.is.Does)
		}
		if w.is.Told < len(w.is.Pods) {
			c.violated(Pods, "", w.at, "the webhook %s, %d pods were made without it, and the API server tells of %d", w.is.Does, len(w.is.Pods), w.is.Told)
		}
	}
}

// someWithin tells whether one of some pods was made in time, if there are any.
func someWithin(pods []trail.Pod, limit time.Duration) bool {
	return len(pods) == 0 || slices.ContainsFunc(pods, func(p trail.Pod) bool { return p.Took < limit+timesSlow*p.Slow })
}

func (c *Checker) judgePod(w *moment[trail.Webhook], one *trail.Pod, limit time.Duration) {
	c.judged[Pods]++
	switch {
	case one.Error != "":
		c.violated(Pods, "", w.at, "the webhook %s, and a pod is not made: %s", w.is.Does, one.Error)
	case one.Took > limit+patience+timesSlow*one.Slow:
		c.violated(Pods, "", w.at, "the webhook %s, and a pod takes %s", w.is.Does, one.Took)
	}
}
