package kubeconfig

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// server answers with what it learnt of the client: its token, and whether it has a certificate.
func server(t *testing.T) (s *httptest.Server, cert, key []byte) {
	s = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s certificates=%d", r.Header.Get("Authorization"), len(r.TLS.PeerCertificates))
	}))
	s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	s.StartTLS()
	t.Cleanup(s.Close)
	der, err := x509.MarshalPKCS8PrivateKey(s.TLS.Certificates[0].PrivateKey)
	require.NoError(t, err)
	return s, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// config is a kubeconfig with the given lines for its cluster and its user.
func config(server, cluster, user string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: x
contexts: [{name: x, context: {cluster: c, user: u, namespace: tea}}]
clusters: [{name: c, cluster: {server: "%s", %s}}]
users: [{name: u, user: {%s}}]
`, server, cluster, user)
}

func TestCredentialsReachTheServer(t *testing.T) {
	s, cert, key := server(t)
	dir := t.TempDir()
	write(t, dir, "ca.crt", string(cert))
	write(t, dir, "client.crt", string(cert))
	write(t, dir, "client.key", string(key))
	write(t, dir, "token", "from-file\n")
	b64 := base64.StdEncoding.EncodeToString
	caData := "certificate-authority-data: " + b64(cert)
	for name, c := range map[string]struct{ cluster, user, want string }{
		"embedded": {caData, "client-certificate-data: " + b64(cert) + ", client-key-data: " + b64(key),
			" certificates=1"},
		"files": {"certificate-authority: ca.crt", "client-certificate: client.crt, client-key: client.key",
			" certificates=1"},
		"token":         {caData, "token: abc", "Bearer abc certificates=0"},
		"token file":    {caData, "token: abc, tokenFile: token", "Bearer from-file certificates=0"},
		"not verified":  {"insecure-skip-tls-verify: true", "token: abc", "Bearer abc certificates=0"},
		"another name":  {caData + ", tls-server-name: example.com", "token: abc", "Bearer abc certificates=0"},
		"a second file": {caData, "token: abc", "Bearer abc certificates=0"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, dir, "config", config(s.URL+"/", c.cluster, c.user))
			if name == "a second file" { // what stands first wins, also over nothing
				path = filepath.Join(dir, "missing") + ":" + path + ":" +
					write(t, dir, "second", strings.ReplaceAll(config("https://example.com", caData, "token: no"),
						"x", "y"))
			}
			c1, err := Load(path)
			require.NoError(t, err)
			require.Equal(t, s.URL, c1.Server.String())
			require.Equal(t, "tea", c1.Namespace)
			require.True(t, c1.Loopback())
			transport := c1.Transport()
			defer transport.CloseIdleConnections()
			resp, err := c1.Client(transport).Get(s.URL)
			require.NoError(t, err)
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.Equal(t, c.want, string(body))
		})
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	dir := t.TempDir()
	for want, content := range map[string]string{
		"neither YAML nor JSON":         "\tx",
		"no current-context":            "{}",
		`"x" is not among its contexts`: "current-context: x",
		`server "" is no URL`:           config("", "x: y", ""),
		"a credential plugin (exec)":    config("https://127.0.0.1", "x: y", "exec: {command: aws}"),
		"impersonation":                 config("https://127.0.0.1", "x: y", "as: admin"),
		"no PEM certificate":            config("https://127.0.0.1", "certificate-authority-data: eA==", ""),
		"client-certificate: open":      config("https://127.0.0.1", "x: y", "client-certificate: none.crt"),
		`names user "u", which is not there`: strings.ReplaceAll(config("https://127.0.0.1", "x: y", ""),
			"name: u,", "name: v,"),
		`names cluster "c", which is not the`: strings.ReplaceAll(config("https://127.0.0.1", "x: y", ""),
			"name: c,", "name: d,"),
	} {
		path := write(t, dir, "config", content)
		_, err := Load(path)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, path)
	}
	_, err := Load(filepath.Join(dir, "missing"))
	require.ErrorContains(t, err, "set KUBECONFIG to an existing file")
}

func TestLoopback(t *testing.T) {
	for server, want := range map[string]bool{
		"https://127.0.0.1:6443": true, "https://127.9.9.9": true, "https://[::1]:6443": true,
		"https://localhost:6443": true,
		"https://10.0.0.1:6443":  false, "https://localhost.example.com": false, "https://127.0.0.1.example.com": false,
	} {
		c, err := Load(write(t, t.TempDir(), "config", config(server, "x: y", "")))
		require.NoError(t, err)
		require.Equal(t, want, c.Loopback(), server)
	}
	c, err := Load(write(t, t.TempDir(), "config",
		config("https://127.0.0.1", "proxy-url: \"http://proxy.example.com\"", "")))
	require.NoError(t, err)
	require.False(t, c.Loopback(), "behind a proxy 127.0.0.1 is another machine's")
}
