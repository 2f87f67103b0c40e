// Package kubeconfig turns a kubeconfig file into what net/http needs: a URL, a tls.Config and perhaps a bearer token.
//
// It covers what a local cluster's kubeconfig contains (kind, minikube, envtest, k3d and the control plane of this
// repository): client certificates, tokens and authorities, embedded or in files. client-go's tools/clientcmd is the
// real thing; it also runs credential plugins, and compiles for a minute longer.
package kubeconfig

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// Config is one context of a kubeconfig, ready for net/http.
type Config struct {
	// Path is the file or the list of files it was read from.
	Path string
	// Context is the name of the context that was chosen.
	Context string
	// Server is the URL of the API server, without a trailing slash.
	Server *url.URL
	// Namespace is the context's namespace, "default" when it names none.
	Namespace string
	// TLS holds the authorities to trust and the client certificate. It is never nil.
	TLS *tls.Config
	// Token is the bearer token, empty when the client certificate is the credential.
	Token string
	// Proxy is the proxy-url of the cluster, nil when it has none.
	Proxy *url.URL
}

// Load reads the current context of the kubeconfig at path. An empty path means what kubectl means by it: the files
// that the variable KUBECONFIG lists, else ~/.kube/config.
func Load(path string) (*Config, error) {
	path, err := locate(path)
	if err != nil {
		return nil, err
	}
	files, err := readAll(path)
	if err != nil {
		return nil, err
	}
	c, err := files.resolve()
	if err != nil {
		return nil, fmt.Errorf("kubeconfig %s: %w", path, err)
	}
	c.Path = path
	return c, nil
}

// locate says which file, or which list of files, an empty path stands for.
func locate(path string) (string, error) {
	if path = cmp.Or(path, os.Getenv("KUBECONFIG")); path != "" {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no kubeconfig: KUBECONFIG is not set and there is no home directory (%w): set KUBECONFIG", err)
	}
	return home + "/.kube/config", nil
}

// Loopback says whether the API server is on this machine: the one kind of cluster a tutorial may touch unasked. A name
// other than localhost does not count, whatever it resolves to now, and neither does a server behind a proxy.
func (c *Config) Loopback() bool {
	host := c.Server.Hostname()
	ip := net.ParseIP(host)
	return c.Proxy == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// Transport returns a new transport with the context's TLS settings and proxy. It speaks HTTP/2 when the server does;
// the token, which is no property of a connection, is added by [Config.Client].
func (c *Config) Transport() *http.Transport {
	t := &http.Transport{TLSClientConfig: c.TLS.Clone(), ForceAttemptHTTP2: true, Proxy: http.ProxyFromEnvironment}
	if c.Proxy != nil {
		t.Proxy = http.ProxyURL(c.Proxy)
	}
	return t
}

// Client returns an http.Client that sends each request through t with the context's credentials.
func (c *Config) Client(t http.RoundTripper) *http.Client {
	if c.Token != "" {
		t = bearer{token: c.Token, next: t}
	}
	return &http.Client{Transport: t}
}

// bearer adds the token to a copy of each request: a RoundTripper must not change the request it is given.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(req)
}

// CloseIdleConnections lets http.Client.CloseIdleConnections reach the transport.
func (b bearer) CloseIdleConnections() {
	if c, ok := b.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// tlsConfig builds the tls.Config of a cluster and a user.
func tlsConfig(cl cluster, u user) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: cl.TLSServerName, InsecureSkipVerify: cl.Insecure}
	ca, err := content(cl.CAData, cl.CA, cl.dir)
	if err != nil {
		return nil, fmt.Errorf("certificate-authority: %w", err)
	}
	if len(ca) > 0 {
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(ca) {
			return nil, fmt.Errorf("certificate-authority: no PEM certificate in it")
		}
	}
	cert, err := content(u.CertData, u.Cert, u.dir)
	if err != nil {
		return nil, fmt.Errorf("client-certificate: %w", err)
	}
	key, err := content(u.KeyData, u.Key, u.dir)
	if err != nil {
		return nil, fmt.Errorf("client-key: %w", err)
	}
	if len(cert) == 0 && len(key) == 0 {
		return c, nil
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("client-certificate and client-key: %w", err)
	}
	c.Certificates = []tls.Certificate{pair}
	return c, nil
}

// token returns the user's bearer token, from the file when both are given, as client-go does.
func token(u user) (string, error) {
	if u.TokenFile == "" {
		return u.Token, nil
	}
	b, err := content(nil, u.TokenFile, u.dir)
	if err != nil {
		return "", fmt.Errorf("tokenFile: %w", err)
	}
	return strings.TrimSpace(string(bytes.TrimSpace(b))), nil
}
