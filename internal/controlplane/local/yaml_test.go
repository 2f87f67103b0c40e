package local

import (
	"sigs.k8s.io/yaml"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// Package withyaml, which does this for programs, imports this package.
func init() {
	plane.ReadYAML = func(data []byte) (file map[string]any, err error) {
		return file, yaml.UnmarshalStrict(data, &file)
	}
}
