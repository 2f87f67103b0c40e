// Package withyaml lets a program read the kubeconfig of a control plane. It is imported for this alone, by each
// program that uses a control plane:
//
//	import _ "github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/withyaml"
//
// Package controlplane has no YAML library of its own, because scripts/bundle builds on it, and what unpacks modules
// can't be built from any.
package withyaml

import (
	"sigs.k8s.io/yaml"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

func init() {
	plane.ReadYAML = func(data []byte) (file map[string]any, err error) {
		return file, yaml.UnmarshalStrict(data, &file)
	}
}
