package supervisor

import (
	"encoding/base64"
	"fmt"
	"strings"

	"k8s.io/client-go/rest"
)

// kubeconfig returns a kubeconfig of one cluster and one user, everything embedded.
func kubeconfig(user string, c *rest.Config) []byte {
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
`, user, strings.TrimSuffix(c.Host, "/"), b64(c.CAData), user, b64(c.CertData), b64(c.KeyData))
}
