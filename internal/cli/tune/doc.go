// Package tune is the verb that searches for better numbers of a policy.
package tune
