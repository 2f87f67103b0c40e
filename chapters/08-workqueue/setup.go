package main

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"

// tour is what the steps share.
type tour struct {
	sum int // ⟨to be written⟩ of what step 1 has read
}

// configMaps is the URL of the run's ConfigMaps.
func configMaps(l *lab.Lab) string {
	return l.Server.String() + "/api/v1/namespaces/" + l.Namespace + "/configmaps"
}
