// Breaks: In all other cases but that of what is not ours, it returns nil, too.
// Caught by: TestNotOurs
// Message: Happened: no write, and an error

//go:build wrong

package reconcile

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

func notOurs(key Key, _ *corev1.ConfigMap) error { return fmt.Errorf("%s is no mirror", key) }
