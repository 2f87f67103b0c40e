package plane

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// ReadYAML reads a file strictly: a name that stands twice is an error. It is nil, and every kubeconfig is refused, in
// a program that does not import package withyaml.
var ReadYAML func(data []byte) (map[string]any, error)

// written are the fields that a kubeconfig of ours has, and those that kubectl adds when a reader changes its namespace
// with it. What is not among them may run a program (exec, auth-provider) or send a file to a server (tokenFile), so it
// is not looked at but refused.
var written = map[string]bool{
	"apiVersion": true, "kind": true, "preferences": true, "current-context": true,
	"contexts": true, "contexts.name": true, "contexts.context": true,
	"contexts.context.cluster": true, "contexts.context.user": true, "contexts.context.namespace": true,
	"clusters": true, "clusters.name": true, "clusters.cluster": true,
	"clusters.cluster.server": true, "clusters.cluster.certificate-authority-data": true,
	"users": true, "users.name": true, "users.user": true,
	"users.user.client-certificate-data": true, "users.user.client-key-data": true,
}

// NewKubeconfig returns a kubeconfig of one server and one user, everything embedded: the server's authority, and the
// user's certificate and key, as PEM. [CheckKubeconfig] accepts it.
func NewKubeconfig(user, server string, ca, cert, key []byte) []byte {
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Appendf(nil, `apiVersion: v1
kind: Config
current-context: controllers-from-scratch
contexts:
- name: controllers-from-scratch
  context:
    cluster: controllers-from-scratch
    user: %s
    namespace: default
clusters:
- name: controllers-from-scratch
  cluster:
    server: %s
    certificate-authority-data: %s
users:
- name: %s
  user:
    client-certificate-data: %s
    client-key-data: %s
`, user, strings.TrimSuffix(server, "/"), b64(ca), user, b64(cert), b64(key))
}

// CheckKubeconfig returns an error unless the file is a kubeconfig as a control plane of ours writes it: an ordinary
// file of this user that names servers of this machine and no program.
func CheckKubeconfig(path string) error {
	if err := whyNot(path); err != nil {
		return fmt.Errorf("the kubeconfig %s is not used: %w; `make down` and `make up` write it anew",
			Printable(path), err)
	}
	return nil
}

// whyNot says why a kubeconfig is none of ours to use, nil when it is one.
func whyNot(path string) error {
	data, err := ReadSmall(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("it is not there")
	case err != nil:
		return err
	case strings.ContainsRune(path, filepath.ListSeparator):
		return fmt.Errorf("kubectl takes its path for a list, for it has a %q", filepath.ListSeparator)
	}
	return checkFields(data)
}

func checkFields(data []byte) error {
	if ReadYAML == nil {
		return errors.New("this program has no YAML library, a mistake of its authors: it does not import withyaml")
	}
	file, err := ReadYAML(data)
	if err != nil {
		return fmt.Errorf("it is neither YAML nor JSON: %s", Printable(err.Error()))
	}
	if err := checkNode("", file); err != nil {
		return err
	}
	return checkServers(file)
}

// checkServers asks for what a kubectl that misses it finds elsewhere: in the pod that it runs in, or on port 8080 of
// this machine.
func checkServers(file map[string]any) error {
	clusters, _ := file["clusters"].([]any)
	if current, _ := file["current-context"].(string); current == "" || len(clusters) == 0 {
		return errors.New("it names no server")
	}
	for _, each := range clusters {
		named, _ := each.(map[string]any)
		cluster, _ := named["cluster"].(map[string]any)
		if server, _ := cluster["server"].(string); !onLoopback(server) {
			return fmt.Errorf("it names the server %q, which is not on this machine", server)
		}
	}
	return nil
}

// checkNode walks a kubeconfig. Names are compared as kubectl compares them, letter by letter.
func checkNode(at string, node any) error {
	switch value := node.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			field := name
			if at != "" {
				field = at + "." + name
			}
			if !written[field] {
				return fmt.Errorf("it has the field %q, which no kubeconfig of this repository has", field)
			}
			if err := checkNode(field, value[name]); err != nil {
				return err
			}
		}
	case []any:
		for _, each := range value {
			if err := checkNode(at, each); err != nil {
				return err
			}
		}
	}
	return nil
}
